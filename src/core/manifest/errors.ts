import type { ErrorDoc } from '../base/error-doc.ts'

/** What can be wrong with a document in general and a manifest in particular. */
export const MANIFEST_ERRORS = {
  YAML_SYNTAX: {
    title: 'not valid YAML',
    why: 'The text cannot be parsed as YAML or JSON, so its meaning is uncertain.',
    fix: 'Go to the line and column in the message. The usual causes are a tab, a missing colon, uneven indentation, or an unclosed quote or bracket.',
  },
  YAML_ALIAS: {
    title: 'anchors, aliases and merge keys are not allowed',
    why: 'A manifest must read the same from top to bottom. Aliases hide the value, and a small file can expand to gigabytes.',
    fix: 'Write the value wherever it is needed.',
  },
  YAML_TAG: {
    title: 'tags and directives are not allowed',
    why: 'A tag such as `!!binary` changes what a value is. Every value of a manifest is plain text, a number, a list or a map.',
    fix: 'Remove the tag. Put the value in quotes if it must stay text.',
  },
  YAML_TOO_LARGE: {
    title: 'file too large',
    why: 'Berth reads files of up to 256 KB, so that no file can slow down or stop the planner.',
    fix: 'Move data out of the file: put models and assets in storage, and scripts in the image.',
  },
  MANIFEST_TOO_SLOW: {
    title: 'manifest takes too long to read',
    why: 'The control plane reads large manifests one after the other and gives each a few seconds, so that none delays the others.',
    fix: 'Make the manifest smaller: shorten its lines, remove keys, or split it into several workloads.',
  },
  YAML_TOO_DEEP: {
    title: 'nested too deeply',
    why: 'Lists and maps may be nested 32 levels deep. No real manifest comes close, so this is a mistake or an attack.',
    fix: 'Look for brackets that are opened repeatedly, or for indentation that grows with every line.',
  },
  YAML_ENCODING: {
    title: 'not valid UTF-8 text',
    why: 'The file contains bytes that are not UTF-8, or control characters. Berth would have to guess their meaning.',
    fix: 'Save the file as UTF-8 without control characters.',
  },
  YAML_EMPTY: {
    title: 'file is empty',
    why: 'The file is empty or contains only comments.',
    fix: 'Start from an example: `berth: v1`, `kind`, `name`, `image` and `resources`.',
  },
  YAML_MANY_DOCUMENTS: {
    title: 'more than one document in the file',
    why: 'One file describes one workload, so that a plan, an error or a change always belongs to one file.',
    fix: 'Split the file at the `---` lines.',
  },
  FILE_FOREIGN: {
    title: 'file of another tool',
    why: 'The file is written for Kubernetes, docker-compose, SkyPilot or dstack. Berth has its own format, which states what a workload needs and not where it runs.',
    fix: 'Write a manifest. The message says which part goes where, and each problem below it says what to write instead.',
  },
  KEY_DUPLICATE: {
    title: 'key given twice',
    why: 'Only one of the two values can apply, and Berth would have to guess which.',
    fix: 'Keep one of the two lines.',
  },
  KEY_UNKNOWN: {
    title: 'unknown key',
    why: 'Berth does not know this key. If it ignored unknown keys, a typing mistake would go unnoticed.',
    fix: 'Correct the spelling; the message names the most similar key. `berth schema` lists all keys.',
  },
  KEY_MISPLACED: {
    title: 'key in the wrong place',
    why: 'The key exists, but not in this place. Wrong indentation is the usual cause.',
    fix: 'Move it to where the message says.',
  },
  KEY_MISSING: {
    title: 'required key missing',
    why: 'The key has no sensible default.',
    fix: 'Add the key; the message shows an example.',
  },
  KEY_REPEATED: {
    title: 'the same name, number or path twice in a list',
    why: 'It identifies the entries of the list, so two entries cannot share it.',
    fix: 'Rename or remove one of the two.',
  },
  KEY_WRONG_KIND: {
    title: 'key belongs to the other kind of workload',
    why: 'Services run until they are stopped, and jobs run until they are done. Some keys make sense for only one of them.',
    fix: 'Remove the key, or change `kind`. Where this kind has a similar key, the message names it.',
  },
  KEY_NEEDS: {
    title: 'key needs another key',
    why: 'The key depends on something that the manifest does not ask for.',
    fix: 'Add the key that the message names, or remove this one.',
  },
  VALUE_TYPE: {
    title: 'wrong type of value',
    why: 'The key takes another type of value, for example a number instead of text, or a list instead of a map.',
    fix: 'Write it as the message shows. Write numbers without quotes, and text that looks like a number in quotes.',
  },
  VALUE_INVALID: {
    title: 'value not understood',
    why: 'The value has the right type but has no meaning here.',
    fix: 'Use one of the values that the message lists, or the form that it shows.',
  },
  VALUE_RANGE: {
    title: 'value out of range',
    why: 'The value is smaller or larger than any that makes sense here.',
    fix: 'Use a value within the limits in the message.',
  },
  VALUE_CONFLICT: {
    title: 'two values contradict each other',
    why: 'Each value is valid on its own, but nothing can satisfy both.',
    fix: 'Change one of the two; the message names both.',
  },
  QUANTITY_INVALID: {
    title: 'amount not understood',
    why: 'Amounts have a unit: `80Gi` for memory and disk, `30m` for time, `25%` for shares. A bare number is ambiguous.',
    fix: 'Write a number and a unit: Ki, Mi, Gi, Ti (or KB, MB, GB, TB); s, m, h, d; %.',
  },
  VERSION_UNSUPPORTED: {
    title: 'manifest version not supported',
    why: 'The first line states the version of the format. This version of Berth reads `berth: v1`.',
    fix: 'Write `berth: v1`, or use a newer version of Berth.',
  },
  SECRET_VALUE: {
    title: 'value of a secret in the manifest',
    why: 'Manifests are kept in version control and printed in plans. A manifest lists the name of a secret; the vault holds its value.',
    fix: 'List only the name, and store the value in the vault. If the value was ever committed, replace it.',
  },
  NOT_YET: {
    title: 'reserved for later',
    why: 'The key is part of the format, but this version of Berth does not act on it. Ignoring it silently would mislead you.',
    fix: 'Remove it, and state what the workload needs under `resources`.',
  },
  NO_EFFECT_YET: {
    title: 'key without effect (a warning)',
    why: 'The key is valid, but this version of Berth does not act on it. The manifest is accepted. The warning is there so that you do not rely on the key.',
    fix: 'Do what the message suggests, or keep the key for a later version of Berth that acts on it. docs/manifest.md lists all such keys.',
  },
  MANIFEST_COUPLED: {
    title: 'names a provider, region or machine',
    why: 'A manifest states what a workload needs, and Berth chooses the provider each time. A name ties the workload to one provider.',
    fix: 'Use the requirement in the message. It asks for the same thing without naming a provider.',
  },
  PROBLEMS_TOO_MANY: {
    title: 'too many problems to list',
    why: 'Berth lists the first hundred problems of a file.',
    fix: 'Fix the listed problems, and run the command again.',
  },
} as const satisfies Record<string, ErrorDoc>
