import { UserError } from '../../core/base/problem.ts'
import { drawPage, type FigurePage } from '../../lab/simulate/curve-page.ts'
import { drawCurves, type Chart } from '../../lab/simulate/curve-svg.ts'
import type { Cli } from '../cli.ts'
import { refuseToReplace } from '../plan/saved-plan.ts'

/** The results of a simulation, in every form in which they can be saved. */
export interface Figures {
  readonly page: FigurePage
  /** All curves in one chart. */
  readonly chart: Chart
  /** The points of the curves: a head and rows. */
  readonly csv: { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] }
  /** What `-o json` prints, with the curves. */
  readonly data: unknown
}

/** Writes curves and figures in the format of the path's extension. Overwrites only files that Berth wrote. */
export function saveFigures(path: string, figures: Figures, cli: Cli): void {
  refuseToReplace(path, (bytes) => isOurs(bytes, figures), cli)
  const text = textFor(path, figures)
  if (cli.files.write(path, new TextEncoder().encode(text))) {
    cli.terminal.err(`saved: ${path}\n`)
    return
  }
  const message = `The figures could not be written to ${path}.`
  const hint = 'Check that the folder exists and is writable.'
  throw new UserError([{ code: 'FILE_NOT_WRITTEN', message, found: path, hint }])
}

function textFor(path: string, { page, chart, csv, data }: Figures): string {
  if (path.endsWith('.svg')) return drawCurves(chart)
  if (path.endsWith('.html')) return drawPage(page)
  if (path.endsWith('.json'))
    return `${JSON.stringify({ berth: 'v1', kind: 'simulation', results: data }, undefined, 2)}\n`
  return `${[csv.columns, ...csv.rows].map(csvLine).join('\n')}\n`
}

function csvLine(cells: readonly (string | number)[]): string {
  return cells.map((cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)).join(',')
}

/** Whether Berth wrote this file: charts carry a class name, JSON a `kind`, and CSV our column names. */
function isOurs(bytes: Uint8Array, { csv }: Figures): boolean {
  const text = new TextDecoder().decode(bytes)
  return (
    text.includes('class="berth-chart"') ||
    /^\{\s*"berth": "v1",\s*"kind": "simulation"/.test(text) ||
    text.startsWith(`${csvLine(csv.columns)}\n`)
  )
}
