import { describe, expect, test } from 'vitest'
import { drawPage, type FigurePage } from './curve-page.ts'

const PAGE: FigurePage = {
  title: 'openb & friends',
  notes: ['berth simulate openb --data DIR'],
  charts: [
    {
      title: 'Allocated',
      x: { label: 'Arrived', unit: '%' },
      y: { label: 'Allocated', unit: '%' },
      curves: [{ name: 'berth', points: [[0, 0] as const, [100, 96.25] as const] }],
    },
  ],
  table: {
    columns: ['POLICY', '@100', '@130'],
    rows: [
      ['berth', 96.25, 96.3456],
      ['<fgd>', 95, undefined],
    ],
  },
}

describe('a page of figures', () => {
  test('holds the chart and the figures, numbers to the right, unknown as ?', () => {
    const html = drawPage(PAGE)
    expect(html).toContain('<title>openb &amp; friends</title>')
    expect(html).toContain('<figure>\n<svg ')
    expect(html).toContain('<th>POLICY</th><th class="number">@100</th><th class="number">@130</th>')
    expect(html).toContain('<tr><td>berth</td><td class="number">96.25</td><td class="number">96.346</td></tr>')
    expect(html).toContain('<tr><td>&lt;fgd&gt;</td><td class="number">95</td><td class="number">?</td></tr>')
    expect(html).toContain('<p>berth simulate openb --data DIR</p>')
  })

  test('can be opened from disk: nothing is fetched and nothing runs', () => {
    expect(drawPage(PAGE)).not.toMatch(/<script|<link|<img|src=|href=|url\(|@import/)
  })
})
