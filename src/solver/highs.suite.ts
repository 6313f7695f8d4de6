import { join } from 'node:path'
import { highsSolver } from './highs.ts'

/** The solver as the sources have it. */
export const sourceSolver = () => highsSolver(join(import.meta.dirname, 'worker.ts'))
