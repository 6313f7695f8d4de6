import { abilityLaws } from './ability.suite.ts'
import { secrets } from './secrets.ts'

abilityLaws('secrets', secrets, 'NO_SECRETS')
