import type { ErrorDoc } from './error-doc.ts'

/** What can be wrong around a command: its files and what it is pointed at. */
export const COMMAND_ERRORS = {
  FILE_MISSING: {
    title: 'no such file',
    why: 'A file named on the command line is not there or cannot be read.',
    fix: 'Check the path and its permissions; `-` reads from standard input where a manifest is expected.',
  },
  FILE_NOT_WRITTEN: {
    title: 'file cannot be written',
    why: 'The folder does not exist, or may not be written to.',
    fix: 'Create the folder or choose another; nothing was written.',
  },
  FILE_IN_THE_WAY: {
    title: 'another file is in the way',
    why: 'The file to be written exists and holds something that Berth did not write, perhaps your manifest.',
    fix: 'Choose another name for `--save` or `--to`, or remove the file first.',
  },
  OFFERS_MISSING: {
    title: 'no offers given',
    why: 'A decision needs something to choose from, and neither the command line nor the infrastructure file names any offers.',
    fix: 'Give `--offers PATH`, or name `offers` for a provider in berth.config.yaml.',
  },
  PLAN_UNREADABLE: {
    title: 'not a saved plan',
    why: 'A saved plan is a JSON file with its offers in a second file beside it; one of them is missing, damaged or something else.',
    fix: 'Copy both files together, or save the plan again with `berth plan … --save FILE`.',
  },
  CODE_UNKNOWN: {
    title: 'no such code',
    why: '`berth explain` was asked about a code that Berth never prints.',
    fix: 'Copy the code from the message; `berth explain` without a code lists them all.',
  },
} as const satisfies Record<string, ErrorDoc>
