// Every benchmark: one file, one line here. `npm run bench` lists them.
export { gang } from './gang.bench.ts'
export { mig } from './mig.bench.ts'
export { pack } from './pack.bench.ts'
export { plan } from './plan.bench.ts'
export { scale } from './scale.bench.ts'
export { start } from './start.bench.ts'
export { store } from './store.bench.ts'
export { topology } from './topology.bench.ts'
