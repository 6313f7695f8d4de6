import type { Register } from '../cli.ts'
import { offersCheck } from './check.ts'
import { offersImport } from './import.ts'
import { offersList } from './list.ts'
import { offersSearch } from './search.ts'

/** `berth offers`: the offers there are, without a manifest. */
export const offers: Register = (program, cli) => {
  const command = program.command('offers').description('list, search, check and compile offers')
  for (const register of [offersList, offersSearch, offersCheck, offersImport]) register(command, cli)
}
