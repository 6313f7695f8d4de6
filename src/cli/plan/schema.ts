import { Argument } from 'commander'
import { must } from '../../core/base/assert.ts'
import { configJsonSchema } from '../../core/policy/schema.ts'
import { FILTER_NAMES } from '../../core/requirement/filter/all-filters.ts'
import { manifestJsonSchema } from '../../core/manifest/json-schema.ts'
import { templateJsonSchema } from '../../core/template/json-schema.ts'
import { fleetJsonSchema } from '../../formats/fleet-file/schema.ts'
import { SCORE_NAMES } from '../../core/requirement/score/all-scores.ts'
import type { Cli, Register } from '../cli.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'

const KINDS = ['manifest', 'template', 'config', 'inventory', 'fleet'] as const

type Kind = (typeof KINDS)[number]

/** `berth schema`: the JSON Schema of a file, so that editors can complete and check it. */
export const schema: Register = (program, cli) => {
  program
    .command('schema')
    .description('print the JSON Schema of a file, for editors and other tools')
    .addArgument(new Argument('[file]', 'kind of file').choices(KINDS).default('manifest'))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Editors with the YAML language server use the schema that the first line of a file names:
  # yaml-language-server: $schema=./berth.schema.json
In VS Code (with the YAML extension), settings.json can set it for all files at once:
  "yaml.schemas": { "./berth.schema.json": "*.berth.yaml" }

Examples:
  berth schema > berth.schema.json
  berth schema config > berth.config.schema.json
  berth schema template > berth.template.schema.json
  berth schema inventory -o yaml`,
    )
    .action((kind: Kind, flags: { readonly output: Format }) => {
      answer(cli, flags.output === 'text' ? 'json' : flags.output, { data: schemaOf(kind, cli), text: String })
    })
}

function schemaOf(kind: Kind, cli: Cli): Readonly<Record<string, unknown>> {
  switch (kind) {
    case 'manifest':
      return manifestJsonSchema()
    case 'template':
      return templateJsonSchema()
    case 'fleet':
      return fleetJsonSchema()
    case 'config':
      return configJsonSchema({ scores: SCORE_NAMES, filters: FILTER_NAMES })
    case 'inventory': {
      const source = cli.sources.find(({ name }) => name === 'inventory')
      return must(source?.schema, 'inventories are written by hand and have a schema')()
    }
  }
}
