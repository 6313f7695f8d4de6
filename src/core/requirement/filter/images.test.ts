import { abilityLaws } from './ability.suite.ts'
import { images } from './images.ts'

abilityLaws('images', images, 'NO_IMAGES')
