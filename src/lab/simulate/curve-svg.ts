import { scaleBetween, scaleOver, thin, type Point, type Scale } from './curve-scale.ts'

/** One line of a chart. */
export interface Curve {
  readonly name: string
  /** By ascending x. */
  readonly points: readonly Point[]
}

/** What one axis measures: `Allocated`, in `%`. */
interface Axis {
  readonly label: string
  readonly unit: string
  /** The ends, if they do not follow from the curves. */
  readonly from?: number
  readonly to?: number
}

/** Curves over one pair of axes. */
export interface Chart {
  readonly title: string
  /** What was measured and how: a line below the title. */
  readonly note?: string
  readonly x: Axis
  readonly y: Axis
  readonly curves: readonly Curve[]
}

/**
 * Draws a chart as self-contained SVG: no fonts, scripts or files. It follows the reader's choice of a light or dark page.
 * Lines differ in colour and in dashes, and the text alternative says where each one ends.
 */
export function drawCurves(chart: Chart): string {
  const frame = frameOf(chart)
  const legend = legendOf(chart.curves)
  const top = TOP + legend.height
  const height = top + PLOT_HEIGHT + BOTTOM
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" class="berth-chart" font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">`,
    `<title>${escaped(chart.title)}</title>`,
    `<desc>${escaped(describe(chart))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" width="${WIDTH}" height="${height}" rx="6"/>`,
    `<text class="title" x="${LEFT}" y="34">${escaped(chart.title)}</text>`,
    ...(chart.note === undefined ? [] : [`<text class="note" x="${LEFT}" y="55">${escaped(chart.note)}</text>`]),
    ...legend.lines,
    `<g transform="translate(${LEFT} ${top})">`,
    ...yAxis(chart.y, frame),
    ...xAxis(chart.x, frame),
    // The first curve matters most: it is drawn on top.
    ...chart.curves.map((curve, index) => line(curve, index, frame)).toReversed(),
    ...endFigures(chart.curves, frame),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

/** Escapes everything that could be read as markup. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const WIDTH = 880
const LEFT = 68
const RIGHT = 60
const TOP = 72
const BOTTOM = 58
const PLOT_WIDTH = WIDTH - LEFT - RIGHT
const PLOT_HEIGHT = 330
const X_MARKS = 8
const Y_MARKS = 6

/** Distinguishable for colour-blind readers, on white and on black, and by dashes as well. */
const LINES = [
  ['#0072b2', '#56b4e9', ''],
  ['#d55e00', '#f08a3c', '7 4'],
  ['#00805c', '#2ec79a', '2 3'],
  ['#a8478a', '#e08fc4', '10 3 2 3'],
  ['#8a6d00', '#e0b400', '4 2'],
  ['#5b5b5b', '#b4b4b4', '1 3'],
] as const

const STYLE = [
  '.page{fill:#fff}.title{font-size:18px;font-weight:600;fill:#1b1f24}.note,.tick,.label,.key{font-size:13px;fill:#57606a}',
  '.key{fill:#1b1f24}.grid{stroke:#d8dee4;stroke-width:1}.axis{stroke:#8c959f;stroke-width:1}',
  '.curve{fill:none;stroke-width:2.25;stroke-linejoin:round;stroke-linecap:butt}',
  '.end{font-size:13px;font-weight:600}',
  ...LINES.map(([light], index) => `.c${index}{stroke:${light}}.t${index}{fill:${light}}`),
  '@media (prefers-color-scheme:dark){.page{fill:#0d1117}.title,.key{fill:#e6edf3}.note,.tick,.label{fill:#9da7b3}',
  '.grid{stroke:#262d36}.axis{stroke:#57606a}',
  ...LINES.map(([, dark], index) => `.c${index}{stroke:${dark}}.t${index}{fill:${dark}}`),
  '}',
].join('')

interface Frame {
  readonly x: Scale
  readonly y: Scale
}

/** Curves end at the right edge, whatever its value; at the top there is room up to the next round value. */
function frameOf({ x, y, curves }: Chart): Frame {
  const points = curves.flatMap((curve) => curve.points)
  const across = points.map(([at]) => at)
  const farthest = across.reduce((most, at) => Math.max(most, at), -Infinity)
  const end = x.to ?? (Number.isFinite(farthest) ? farthest : undefined)
  return {
    x: scaleFor(end === undefined ? x : { ...x, to: end }, across, X_MARKS),
    y: scaleFor(
      y,
      points.map(([, value]) => value),
      Y_MARKS,
    ),
  }
}

/** A requested end stays where it is; the other follows from the curves. */
function scaleFor(axis: Axis, values: readonly number[], marks: number): Scale {
  const free = scaleOver(values, marks)
  const from = axis.from ?? free.from
  const end = axis.to ?? free.to
  const to = end > from ? end : from + 1
  const ticks = scaleBetween(from, to, marks).ticks.filter((tick) => tick >= from && tick <= to)
  return { from, to, ticks }
}

function describe({ x, y, curves }: Chart): string {
  const ends = curves.map(({ name, points }) => {
    const last = points.at(-1)
    return last === undefined
      ? `${name} has no points.`
      : `${name} ends at ${plain(last[1])} ${y.unit} for ${plain(last[0])} ${x.unit}.`
  })
  return [`${y.label} in ${y.unit} over ${x.label} in ${x.unit}.`, ...ends].join(' ')
}

/** As many entries per row as fit; letters are assumed to have their usual width. */
function legendOf(curves: readonly Curve[]): { readonly lines: readonly string[]; readonly height: number } {
  const lines: string[] = []
  let x = LEFT
  let row = 0
  for (const [index, { name }] of curves.entries()) {
    const width = KEY_SAMPLE + 8 + name.length * 7.2 + 22
    if (x > LEFT && x + width > WIDTH - RIGHT) {
      x = LEFT
      row++
    }
    const y = TOP + row * KEY_HEIGHT + 6
    lines.push(
      `<line class="curve ${styleOf(index)}" ${dashes(index)}x1="${fixed(x)}" x2="${fixed(x + KEY_SAMPLE)}" y1="${y}" y2="${y}"/>`,
      `<text class="key" x="${fixed(x + KEY_SAMPLE + 8)}" y="${y + 4.5}">${escaped(name)}</text>`,
    )
    x += width
  }
  return { lines, height: (row + 1) * KEY_HEIGHT + 8 }
}

const KEY_SAMPLE = 30
const KEY_HEIGHT = 22

function yAxis({ label, unit }: Axis, { y }: Frame): readonly string[] {
  const rows = y.ticks.flatMap((tick) => {
    const at = fixed(heightOf(tick, y))
    return [
      `<line class="grid" x1="0" x2="${PLOT_WIDTH}" y1="${at}" y2="${at}"/>`,
      `<text class="tick" x="-10" y="${fixed(heightOf(tick, y) + 4.5)}" text-anchor="end">${plain(tick)}</text>`,
    ]
  })
  const middle = PLOT_HEIGHT / 2
  const name = `<text class="label" transform="translate(-46 ${middle}) rotate(-90)" text-anchor="middle">${axisName(label, unit)}</text>`
  return [...rows, name]
}

function xAxis({ label, unit }: Axis, { x }: Frame): readonly string[] {
  const marks = x.ticks.flatMap((tick) => {
    const at = fixed(widthOf(tick, x))
    return [
      `<line class="axis" x1="${at}" x2="${at}" y1="${PLOT_HEIGHT}" y2="${PLOT_HEIGHT + 5}"/>`,
      `<text class="tick" x="${at}" y="${PLOT_HEIGHT + 21}" text-anchor="middle">${plain(tick)}</text>`,
    ]
  })
  return [
    `<line class="axis" x1="0" x2="${PLOT_WIDTH}" y1="${PLOT_HEIGHT}" y2="${PLOT_HEIGHT}"/>`,
    ...marks,
    `<text class="label" x="${PLOT_WIDTH / 2}" y="${PLOT_HEIGHT + 44}" text-anchor="middle">${axisName(label, unit)}</text>`,
  ]
}

function axisName(label: string, unit: string): string {
  return escaped(unit === '' ? label : `${label} (${unit})`)
}

/** The parts of a curve within the axes. */
function line({ points }: Curve, index: number, { x, y }: Frame): string {
  const path = stretches(points, { x, y }).map((stretch) => {
    const spots = thin(stretch, PLOT_WIDTH / 2, x)
    return `M${spots.map(([at, value]) => `${fixed(widthOf(at, x))} ${fixed(heightOf(value, y))}`).join('L')}`
  })
  return `<path class="curve ${styleOf(index)}" ${dashes(index)}d="${path.join('')}"/>`
}

/** A curve enters and leaves the frame where it crosses the edge, not at the nearest point inside. */
function stretches(points: readonly Point[], frame: Frame): readonly (readonly Point[])[] {
  const found: Point[][] = []
  let current: Point[] = []
  for (const [index, point] of points.entries()) {
    const before = points[index - 1] ?? point
    if (isInside(before, frame) !== isInside(point, frame)) current.push(crossing(before, point, frame))
    if (isInside(point, frame)) current.push(point)
    else if (current.length > 0) {
      found.push(current)
      current = []
    }
  }
  return current.length > 0 ? [...found, current] : found
}

function isInside([at, value]: Point, { x, y }: Frame): boolean {
  return at >= x.from && at <= x.to && value >= y.from && value <= y.to
}

/** By bisection: exact to far less than a pixel, for any edge. */
function crossing(one: Point, two: Point, frame: Frame): Point {
  let [inner, outer] = isInside(one, frame) ? [one, two] : [two, one]
  for (let round = 0; round < 32; round++) {
    const middle: Point = [(inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2]
    if (isInside(middle, frame)) inner = middle
    else outer = middle
  }
  return inner
}

/** The last value of each curve, next to its end; overlapping figures move apart. */
function endFigures(curves: readonly Curve[], frame: Frame): readonly string[] {
  const ends = curves
    .flatMap(({ points }, index) => {
      const last = points.findLast((point) => isInside(point, frame))
      return last === undefined ? [] : [{ index, last, at: heightOf(last[1], frame.y) }]
    })
    .toSorted((one, two) => one.at - two.at || one.index - two.index)
  let above = -Infinity
  return ends.map(({ index, last, at }) => {
    above = Math.max(at, above + END_HEIGHT)
    const x = fixed(widthOf(last[0], frame.x) + 8)
    return `<text class="end t${index % LINES.length}" x="${x}" y="${fixed(above + 4.5)}">${last[1].toFixed(1)}</text>`
  })
}

const END_HEIGHT = 15

function widthOf(value: number, { from, to }: Scale): number {
  return ((value - from) / (to - from)) * PLOT_WIDTH
}

function heightOf(value: number, { from, to }: Scale): number {
  return PLOT_HEIGHT - ((value - from) / (to - from)) * PLOT_HEIGHT
}

function styleOf(index: number): string {
  return `c${index % LINES.length}`
}

/** From the seventh curve on, colours repeat with the dashes of their neighbour. */
function dashes(index: number): string {
  const round = Math.floor(index / LINES.length)
  const pattern = LINES[(index + round) % LINES.length]?.[2] ?? ''
  return pattern === '' ? '' : `stroke-dasharray="${pattern}" `
}

function plain(value: number): string {
  return String(Number(value.toFixed(2)))
}

/** A tenth of a pixel is finer than can be seen. */
function fixed(value: number): string {
  return String(Number(value.toFixed(1)))
}
