// Every preference: one file, one line here. Policies weigh them by name.
export { egress } from './egress.ts'
export { price } from './price.ts'
export { reliability } from './reliability.ts'
export { start } from './start.ts'
export { stock } from './stock.ts'
export { surplus } from './surplus.ts'
