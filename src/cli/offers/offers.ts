import type { Register } from '../cli.ts'
import { offersCheck } from './check.ts'
import { offersHistory } from './history.ts'
import { offersImport } from './import.ts'
import { offersList } from './list.ts'
import { offersSearch } from './search.ts'

/** `berth offers`: the offers there are, without a manifest. */
export const offers: Register = (program, cli) => {
  const command = program
    .command('offers')
    .description('list, search, check and compile offers, and show how they changed')
  for (const register of [offersList, offersSearch, offersHistory, offersCheck, offersImport]) register(command, cli)
}
