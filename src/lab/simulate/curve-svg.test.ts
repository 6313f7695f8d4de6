import { describe, expect, test } from 'vitest'
import { drawCurves, type Chart, type Curve } from './curve-svg.ts'

const RISING: Curve = {
  name: 'berth',
  points: [
    [0, 0],
    [90, 90],
    [130, 96.25],
  ],
}

const CHART: Chart = {
  title: 'Allocated GPUs',
  note: 'seeds 42 to 51',
  x: { label: 'Arrived load', unit: '%' },
  y: { label: 'Allocated', unit: '%' },
  curves: [RISING],
}

/** The path of the curve with this number, as pairs. */
function pathOf(svg: string, index: number): readonly string[] {
  const path = new RegExp(`<path class="curve c${index}" [^>]*?d="M([^"]*)"`).exec(svg)?.[1]
  return path?.split(/[ML]/) ?? []
}

function textsOf(svg: string, style: string): readonly string[] {
  return [...svg.matchAll(new RegExp(`<text class="${style}[^"]*"[^>]*>([^<]*)</text>`, 'g'))].map(
    ([, text = '']) => text,
  )
}

describe('a chart of curves', () => {
  test('has a title, a note, named axes, marks and a figure at the end of the line', () => {
    const svg = drawCurves(CHART)
    expect(textsOf(svg, 'title')).toEqual(['Allocated GPUs'])
    expect(textsOf(svg, 'note')).toEqual(['seeds 42 to 51'])
    expect(textsOf(svg, 'label')).toEqual(['Allocated (%)', 'Arrived load (%)'])
    expect(textsOf(svg, 'key')).toEqual(['berth'])
    expect(textsOf(svg, 'tick').join(' ')).toBe('0 20 40 60 80 100 0 20 40 60 80 100 120')
    expect(textsOf(svg, 'end')).toEqual(['96.3'])
  })

  test('ends at the right edge with its last point', () => {
    expect(pathOf(drawCurves(CHART), 0)).toEqual(['0 330', '520.6 33', '752 12.4'])
  })

  test('says in words what it shows', () => {
    const svg = drawCurves({ ...CHART, curves: [RISING, { name: 'nobody', points: [] }] })
    expect(svg).toContain(
      '<desc>Allocated in % over Arrived load in %. berth ends at 96.25 % for 130 %. nobody has no points.</desc>',
    )
    expect(svg).toContain('role="img"')
  })

  test('needs nothing from elsewhere and cannot be broken by names', () => {
    const svg = drawCurves({ ...CHART, title: '<script>&"', curves: [{ ...RISING, name: '</text><b>' }] })
    expect(svg).not.toMatch(/<script|<b>|href|url\(|@import|http:\/\/(?!www\.w3\.org\/2000\/svg")/)
    expect(svg).toContain('&lt;script&gt;&amp;&quot;')
  })

  test('draws the first curve last, so that it lies on top', () => {
    const svg = drawCurves({ ...CHART, curves: [RISING, { ...RISING, name: 'fgd' }] })
    expect(svg.indexOf('<path class="curve c1"')).toBeLessThan(svg.indexOf('<path class="curve c0"'))
  })

  test('a curve is cut where it leaves the axes and goes on where it comes back', () => {
    const points = [
      [0, 0],
      [10, 10],
      [20, 0],
      [30, 10],
    ] as const
    const svg = drawCurves({ ...CHART, y: { ...CHART.y, from: 5, to: 10 }, curves: [{ name: 'wave', points }] })
    expect(svg).toContain('d="M125.3 330L250.7 0L376 330M626.7 330L752 0"')
  })

  test('figures that would lie on each other move apart', () => {
    const close = [96.3, 96.2, 96.1].map((y) => ({ name: `at ${y}`, points: [[0, 0] as const, [130, y] as const] }))
    const heights = [...drawCurves({ ...CHART, curves: close }).matchAll(/<text class="end[^>]* y="([\d.]+)"/g)].map(
      ([, y]) => Number(y),
    )
    expect(heights).toHaveLength(3)
    expect(heights).toEqual([16.7, 31.7, 46.7])
  })

  test('lines differ by colour and dashes, also when there are many', () => {
    const curves = Array.from({ length: 12 }, (_, index) => ({ ...RISING, name: `policy ${index}` }))
    const svg = drawCurves({ ...CHART, curves })
    const styles = [...svg.matchAll(/<path class="(curve c\d)" (?:stroke-dasharray="([^"]*)" )?/g)]
    expect(new Set(styles.map(([, color, dashes]) => `${color} ${dashes}`)).size).toBe(12)
    expect(svg).toContain('@media (prefers-color-scheme:dark)')
  })

  test('the legend goes on in a new row where one is full', () => {
    const curves = Array.from({ length: 9 }, (_, index) => ({ ...RISING, name: `a rather long name ${index}` }))
    const svg = drawCurves({ ...CHART, curves })
    const rows = new Set([...svg.matchAll(/<text class="key" x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) => y))
    expect(rows.size).toBe(3)
    const far = [...svg.matchAll(/<text class="key" x="([\d.]+)"/g)].map(([, x]) => Number(x))
    expect(Math.max(...far)).toBeLessThan(700)
  })

  test('is still a chart without any points', () => {
    const svg = drawCurves({ ...CHART, curves: [] })
    expect(textsOf(svg, 'end')).toEqual([])
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
  })
})
