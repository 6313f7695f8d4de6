import { abilityLaws } from './ability.suite.ts'
import { gangs } from './gangs.ts'

abilityLaws('gangs', gangs, 'NO_RENDEZVOUS')
