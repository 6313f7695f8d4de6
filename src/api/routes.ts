import { PLATFORM_ROUTES } from './routes-platform.ts'
import { WORK_ROUTES } from './routes-work.ts'

/** Every route; the keys are the operation ids. */
export const ROUTES = { ...WORK_ROUTES, ...PLATFORM_ROUTES }

export type Routes = typeof ROUTES
