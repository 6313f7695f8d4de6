// Every requirement under `resources`: one file, one line here. table.ts puts them in order.
export { cpu } from './cpu.ts'
export { disk } from './disk.ts'
export { hostArch } from './host-arch.ts'
export { memory } from './memory.ts'
