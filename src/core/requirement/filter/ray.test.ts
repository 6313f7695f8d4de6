import { abilityLaws } from './ability.suite.ts'
import { ray } from './ray.ts'

abilityLaws('ray', ray, 'NO_RAY')
