import type { Register } from '../cli.ts'
import { offersCheck } from './check.ts'
import { offersImport } from './import.ts'
import { offersList } from './list.ts'
import { offersSearch } from './search.ts'

/** `berth offers`: what there is to choose from, without a manifest. */
export const offers: Register = (program, cli) => {
  const command = program
    .command('offers')
    .description('look at what there is to choose from: list it, search it, check it, compile it')
  for (const register of [offersList, offersSearch, offersCheck, offersImport]) register(command, cli)
}
