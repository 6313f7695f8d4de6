import { join } from 'node:path'
import { highsSolver } from './highs.ts'

/** The solver, run from the source files. */
export const sourceSolver = () => highsSolver(join(import.meta.dirname, 'worker.ts'))
