import { readCsv } from '../../formats/csv.ts'
import type { CsvRow } from '../../formats/csv.ts'

/** One row of a catalogue, parsed but not judged. Empty fields are empty texts and undefined numbers. */
export interface CatalogRow {
  readonly line: number
  readonly instance: string
  readonly named: string
  /** The GpuInfo column as written. */
  readonly info: string
  readonly count: number | undefined
  readonly cpu: number | undefined
  readonly memoryGib: number | undefined
  readonly diskGib: number | undefined
  readonly usdPerHour: number | undefined
  readonly spotUsdPerHour: number | undefined
  readonly region: string
  readonly zone: string
  readonly upstreamId: string
  /** Why the row cannot be read, in a few words. */
  readonly fault: string | undefined
}

/** Reads a catalogue lazily, row by row. Clouds differ in the order and choice of columns. */
export function* readCatalog(text: string): Generator<CatalogRow> {
  const table = readCsv(text)
  const columns = columnsOf(table.header)
  // Names repeat from row to row; sharing one string for each keeps a large catalogue small.
  const shared = new Map<string, string>()
  for (const row of table.rows()) yield toRow(row, columns, shared)
}

const HEADINGS = {
  instance: 'InstanceType',
  named: 'AcceleratorName',
  info: 'GpuInfo',
  region: 'Region',
  zone: 'AvailabilityZone',
  upstreamId: 'UpstreamCloudId',
  count: 'AcceleratorCount',
  cpu: 'vCPUs',
  memoryGib: 'MemoryGiB',
  diskGib: 'StorageGiB',
  usdPerHour: 'Price',
  spotUsdPerHour: 'SpotPrice',
} as const

type Columns = Readonly<Record<keyof typeof HEADINGS, number>>

function columnsOf(header: readonly string[]): Columns {
  return {
    instance: header.indexOf(HEADINGS.instance),
    named: header.indexOf(HEADINGS.named),
    info: header.indexOf(HEADINGS.info),
    region: header.indexOf(HEADINGS.region),
    zone: header.indexOf(HEADINGS.zone),
    upstreamId: header.indexOf(HEADINGS.upstreamId),
    count: header.indexOf(HEADINGS.count),
    cpu: header.indexOf(HEADINGS.cpu),
    memoryGib: header.indexOf(HEADINGS.memoryGib),
    diskGib: header.indexOf(HEADINGS.diskGib),
    usdPerHour: header.indexOf(HEADINGS.usdPerHour),
    spotUsdPerHour: header.indexOf(HEADINGS.spotUsdPerHour),
  }
}

function toRow({ fields, fault, line }: CsvRow, columns: Columns, shared: Map<string, string>): CatalogRow {
  const row = {
    line,
    instance: textIn(fields[columns.instance], shared),
    named: textIn(fields[columns.named], shared),
    info: textIn(fields[columns.info], shared),
    region: textIn(fields[columns.region], shared),
    zone: textIn(fields[columns.zone], shared),
    upstreamId: textIn(fields[columns.upstreamId], shared),
    count: numberIn(fields[columns.count]),
    cpu: numberIn(fields[columns.cpu]),
    memoryGib: numberIn(fields[columns.memoryGib]),
    diskGib: numberIn(fields[columns.diskGib]),
    usdPerHour: numberIn(fields[columns.usdPerHour]),
    spotUsdPerHour: numberIn(fields[columns.spotUsdPerHour]),
    fault: fault === undefined ? undefined : FAULTS[fault],
  }
  const unread = NUMBERS.find((column) => Number.isNaN(row[column]))
  return unread === undefined ? row : withoutNumbers(row, `${HEADINGS[unread]} is not a number`)
}

const FAULTS: Readonly<Record<'width' | 'quote', string>> = {
  width: 'too many or too few fields',
  quote: 'a quote is not closed',
}

const NUMBERS = ['count', 'cpu', 'memoryGib', 'diskGib', 'usdPerHour', 'spotUsdPerHour'] as const

function textIn(text: string | undefined, shared: Map<string, string>): string {
  if (text === undefined || text === '') return ''
  const known = shared.get(text)
  if (known === undefined) shared.set(text, text)
  return known ?? text
}

/** NaN when the field has text that is not a number. */
function numberIn(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : Number.NaN
}

/** When one number of a row is unreadable, the others are not trusted either. */
function withoutNumbers(row: CatalogRow, fault: string): CatalogRow {
  const nothing = { count: undefined, cpu: undefined, memoryGib: undefined, diskGib: undefined }
  return { ...row, ...nothing, usdPerHour: undefined, spotUsdPerHour: undefined, fault: row.fault ?? fault }
}

/** Whether a row mentions an accelerator. */
export function hasAccelerator({ named, info }: CatalogRow): boolean {
  return named !== '' || info !== ''
}
