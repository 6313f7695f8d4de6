import { abilityLaws } from './ability.suite.ts'
import { objectStorage } from './object-storage.ts'

abilityLaws('object-storage', objectStorage, 'NO_OBJECT_STORAGE')
