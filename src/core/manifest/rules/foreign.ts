import { flow } from '../../document/flow.ts'
import type { DocEntry, DocNode, SourceDocument } from '../../document/document.ts'
import { entryAt } from '../../document/look-up.ts'
import type { Problem } from '../../base/problem.ts'
import { mapAt, problemAt, textOf, textsOf } from './rule.ts'
import type { ManifestRule } from './rule.ts'

/** A file of another tool: how it is recognised, and where its parts go. */
interface Tool {
  readonly name: string
  readonly is: (document: SourceDocument) => boolean
  readonly hint: string
}

const TOOLS: readonly Tool[] = [
  {
    name: 'Kubernetes',
    is: (document) => has(document, 'apiVersion') && has(document, 'kind'),
    hint: 'metadata.name becomes name. The image, command, args, env and ports of the container go at the top level, and its requests go under resources.',
  },
  {
    name: 'docker-compose',
    is: (document) => mapAt(document, ['services']) !== undefined,
    hint: 'Each service becomes its own file, with image, command, env and ports at the top level.',
  },
  {
    name: 'dstack',
    is: (document) => /^(task|service|dev-environment|fleet|gateway|volume)$/.test(textAt(document, 'type') ?? ''),
    hint: 'type: task becomes kind: job, commands become command, and what it needs goes under resources.',
  },
  {
    name: 'SkyPilot',
    is: (document) => SKYPILOT.some((key) => has(document, key)) || has(document, 'resources', 'accelerators'),
    hint: 'run becomes command, num_nodes becomes nodes, accelerators become resources.gpu. setup and workdir go into the image.',
  },
]

const SKYPILOT = ['run', 'setup', 'workdir', 'num_nodes', 'file_mounts']

/** Names the tool that a foreign file belongs to. The problems at its parts say what to write instead. */
export function foreignFile(document: SourceDocument): readonly Problem[] {
  if (document.root.kind !== 'map' || has(document, 'berth')) return []
  const tool = TOOLS.find(({ is }) => is(document))
  if (tool === undefined) return []
  const message = `This is a ${tool.name} file. Berth has its own format.`
  return [problemAt(document, document.root.at, { code: 'FILE_FOREIGN', message, hint: tool.hint })]
}

type Sentence = (value: DocNode) => readonly [message: string, hint: string]

const NO_COPIES: Sentence = () => [
  'Berth does not copy files to the machines that run a workload.',
  'Build them into the image, or download them when the workload starts. Mount data with storage.',
]

const NO_SET_UP: Sentence = () => [
  'Berth has no setup step.',
  'Build what the program needs into the image, or install it at the start of the command: [bash, -c, "pip install NAME && exec python main.py"]',
]

const COMMAND: Sentence = (value) => ['The program to run goes under `command`.', commandHint(value)]

/** Keys of other tools that have no counterpart, or a very different one. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  workdir: NO_COPIES,
  working_dir: NO_COPIES,
  file_mounts: NO_COPIES,
  repos: NO_COPIES,
  files: NO_COPIES,
  setup: NO_SET_UP,
  init: NO_SET_UP,
  python: NO_SET_UP,
  conda: NO_SET_UP,
  pip: NO_SET_UP,
  run: COMMAND,
  commands: COMMAND,
  script: COMMAND,
  entrypoint: COMMAND,
  metadata: () => ['A manifest has no metadata.', 'The name goes at the top level. For example: name: web'],
  spec: () => ['What other files put under spec goes at the top level of a manifest.', 'Move it there.'],
  services: () => ['A manifest describes one workload.', 'Write one file for each service.'],
  build: () => [
    'Berth builds no images.',
    'Build and push the image, then name it. For example: image: ghcr.io/acme/app:1.0',
  ],
}

/** Keys that users know from other tools get an explanation instead of a list of keys. */
export const foreignSentences: ManifestRule = (document) =>
  Object.entries(SENTENCES).flatMap(([key, sentence]) => {
    const entry = entryAt(document, [key])
    return entry === undefined ? [] : [sentenceAt(document, entry, sentence)]
  })

function sentenceAt(document: SourceDocument, { key, keyAt, value }: DocEntry, sentence: Sentence): Problem {
  const [message, hint] = sentence(value)
  return problemAt(document, keyAt, { code: 'KEY_UNKNOWN', message, hint, found: key })
}

const LINE_MAX = 120

/** The hint names the shell, and joins several lines so that the shell runs them one after the other. */
function commandHint(value: DocNode): string {
  const lines = textsOf(value).flatMap((text) => text.split('\n').filter((line) => line.trim() !== ''))
  const script = lines.map((line) => line.trim()).join(' && ')
  const isShort =
    script !== '' && script.length <= LINE_MAX && lines.every((line) => !/[\\{(]$|^\s*(if|for|while)\b/.test(line))
  return `Write command: [bash, -c, ${isShort ? flow(script) : '"..."'}]`
}

function has(document: SourceDocument, ...path: readonly string[]): boolean {
  return entryAt(document, path) !== undefined
}

function textAt(document: SourceDocument, key: string): string | undefined {
  return textOf(entryAt(document, [key])?.value)
}
