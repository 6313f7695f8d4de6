import { abilityLaws } from './ability.suite.ts'
import { volumes } from './volumes.ts'

abilityLaws('volumes', volumes, 'NO_VOLUMES')
