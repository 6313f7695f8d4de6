// Every benchmark: one file, one line here. `npm run bench` lists them.
export { plan } from './plan.bench.ts'
export { scale } from './scale.bench.ts'
export { start } from './start.bench.ts'
