import { drawCurves, escaped, type Chart } from './curve-svg.ts'

/** The figures below the curves. */
interface FigureTable {
  readonly columns: readonly string[]
  /** Texts are aligned left, numbers right; undefined is unknown. */
  readonly rows: readonly (readonly (string | number | undefined)[])[]
}

/** A page of charts with the figures behind them. */
export interface FigurePage {
  readonly title: string
  /** How the figures were made, one paragraph each; the last says how to reproduce them. */
  readonly notes: readonly string[]
  readonly charts: readonly Chart[]
  readonly table: FigureTable
}

/** An HTML page that can be opened from disk: the charts, and below them their values as a table. */
export function drawPage({ title, notes, charts, table }: FigurePage): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>${escaped(title)}</h1>`,
    ...charts.map((chart) => `<figure>\n${drawCurves(chart)}</figure>`),
    ...drawTable(table),
    ...notes.map((note) => `<p>${escaped(note)}</p>`),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:0;background:#fff;color:#1b1f24;font:15px/1.5 system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif}',
  'main{max-width:920px;margin:0 auto;padding:32px 20px 48px}h1{font-size:24px;font-weight:600;margin:0 0 20px}',
  'figure{margin:0 0 24px;border:1px solid #d8dee4;border-radius:8px;overflow:hidden}figure svg{display:block;width:100%;height:auto}',
  '.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}',
  'th{font-size:13px;font-weight:600;color:#57606a;text-align:left}th,td{padding:6px 16px 6px 0;border-bottom:1px solid #d8dee4}',
  'th.number,td.number{text-align:right}p{color:#57606a;max-width:72ch}',
  '@media (prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}figure,th,td{border-color:#262d36}th,p{color:#9da7b3}}',
].join('')

function drawTable({ columns, rows }: FigureTable): readonly string[] {
  const isNumber = columns.map((_, index) => rows.every((row) => typeof row[index] !== 'string'))
  const cell = (tag: 'th' | 'td', text: string, index: number): string =>
    `<${tag}${isNumber[index] === true ? ' class="number"' : ''}>${escaped(text)}</${tag}>`
  const head = columns.map((column, index) => cell('th', column, index)).join('')
  const body = rows.map((row) => {
    const cells = columns.map((_, index) => cell('td', figure(row[index]), index))
    return `<tr>${cells.join('')}</tr>`
  })
  return [
    '<div class="wide">',
    '<table>',
    `<thead><tr>${head}</tr></thead>`,
    '<tbody>',
    ...body,
    '</tbody>',
    '</table>',
    '</div>',
  ]
}

/** Unknown is `?`, never 0 or blank. */
function figure(value: string | number | undefined): string {
  if (value === undefined) return '?'
  return typeof value === 'string' ? value : String(Number(value.toFixed(3)))
}
