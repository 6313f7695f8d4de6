import type { ErrorDoc } from '../base/error-doc.ts'

/** What can be wrong with a document in general and a manifest in particular. */
export const MANIFEST_ERRORS = {
  YAML_SYNTAX: {
    title: 'not valid YAML',
    why: 'The text cannot be read as YAML or JSON, so nothing in it can be trusted to mean what it seems to mean.',
    fix: 'Go to the line and column of the message. Usual suspects: a tab, a missing colon, unequal indentation, an open quote or bracket.',
  },
  YAML_ALIAS: {
    title: 'anchors, aliases and merge keys are not allowed',
    why: 'A manifest must read the same from top to bottom. Aliases hide what is meant, and a small file can unfold to gigabytes.',
    fix: 'Write the value out where it is needed.',
  },
  YAML_TAG: {
    title: 'tags and directives are not allowed',
    why: 'A tag such as `!!binary` changes what a value is. Every value of a manifest is plain text, a number, a list or a map.',
    fix: 'Remove the tag; put the value in quotes if it must stay text.',
  },
  YAML_TOO_LARGE: {
    title: 'file too large',
    why: 'Files are read up to 256 KB, so that no file can slow down or stop the planner.',
    fix: 'Move data out of the file: models and assets belong in storage, scripts in the image.',
  },
  MANIFEST_TOO_SLOW: {
    title: 'manifest that takes too long to read',
    why: 'A control plane reads large manifests one after the other, and gives each a few seconds: none may hold up the others.',
    fix: 'Make it smaller: shorter lines, fewer keys, or several workloads.',
  },
  YAML_TOO_DEEP: {
    title: 'nested too deeply',
    why: 'Lists and maps may be nested 32 deep. No real manifest comes near, so this is a mistake or an attack.',
    fix: 'Look for brackets that are opened again and again, or for indentation that grows with every line.',
  },
  YAML_ENCODING: {
    title: 'not clean UTF-8 text',
    why: 'The file holds bytes that are not UTF-8, or control characters. What they should mean would be a guess.',
    fix: 'Save the file as UTF-8 without control characters.',
  },
  YAML_EMPTY: {
    title: 'nothing in the file',
    why: 'The file is empty or holds only comments.',
    fix: 'Start from an example: `berth: v1`, `kind`, `name`, `image` and `resources`.',
  },
  YAML_MANY_DOCUMENTS: {
    title: 'more than one document in the file',
    why: 'One file describes one thing, so that a plan, an error and a change always belong to one file.',
    fix: 'Split the file at the `---` lines.',
  },
  FILE_FOREIGN: {
    title: 'file of another tool',
    why: 'The file is written for Kubernetes, docker-compose, SkyPilot or dstack. Berth has a format of its own, because it names what is needed and not where it is had.',
    fix: 'Write a manifest: the message says which part goes where, and each of the problems below it what to write instead.',
  },
  KEY_DUPLICATE: {
    title: 'key given twice',
    why: 'Only one of the two values could count, and which one would be a guess.',
    fix: 'Keep one of the two lines.',
  },
  KEY_UNKNOWN: {
    title: 'unknown key',
    why: 'A key that nobody reads would be silently ignored, and a typing mistake with it.',
    fix: 'Correct the spelling; the message names the nearest key there is. `berth schema` lists them all.',
  },
  KEY_MISPLACED: {
    title: 'key in the wrong place',
    why: 'The key exists, but not here; where it stands nobody would read it. Wrong indentation is the usual cause.',
    fix: 'Move it to where the message says.',
  },
  KEY_MISSING: {
    title: 'required key missing',
    why: 'Without it there is nothing sensible to assume.',
    fix: 'Add the key; the message shows how it is written.',
  },
  KEY_REPEATED: {
    title: 'the same name, number or path twice in a list',
    why: 'Entries are told apart by it, so two entries cannot share it.',
    fix: 'Rename or remove one of the two.',
  },
  KEY_WRONG_KIND: {
    title: 'key belongs to the other kind of workload',
    why: 'Services run until stopped and jobs run to an end; some keys make sense for only one of them.',
    fix: 'Remove the key, or change `kind`. The message names the key that does the same for this kind, where there is one.',
  },
  KEY_NEEDS: {
    title: 'key makes no sense without another one',
    why: 'The key refines something that the manifest does not ask for.',
    fix: 'Add the key that the message names, or remove this one.',
  },
  VALUE_TYPE: {
    title: 'wrong type of value',
    why: 'The key takes another type of value: a number instead of text, a list instead of a map.',
    fix: 'Write it as the message shows. Numbers stand without quotes, text that looks like a number in quotes.',
  },
  VALUE_INVALID: {
    title: 'value not understood',
    why: 'The value has the right type but is not one that means anything here.',
    fix: 'Use one of the values, or the form, that the message names.',
  },
  VALUE_RANGE: {
    title: 'value out of range',
    why: 'The value is too small or too large to be meant.',
    fix: 'Use a value between the limits that the message names.',
  },
  VALUE_CONFLICT: {
    title: 'two values contradict each other',
    why: 'Each value is fine alone, but nothing can satisfy both.',
    fix: 'Change one of the two; the message names both.',
  },
  QUANTITY_INVALID: {
    title: 'amount not understood',
    why: 'Amounts carry their unit: memory and disk `80Gi`, time `30m`, shares `25%`. A bare number could mean anything.',
    fix: 'Write a number and a unit: Ki, Mi, Gi, Ti (or KB, MB, GB, TB); s, m, h, d; %.',
  },
  VERSION_UNSUPPORTED: {
    title: 'manifest version not supported',
    why: 'The first line says which version of the format the file is written in; this Berth reads `berth: v1`.',
    fix: 'Write `berth: v1`, or use a newer Berth.',
  },
  SECRET_VALUE: {
    title: 'a secret value in the manifest',
    why: 'Manifests are kept in version control and printed in plans. A secret is named there; its value lives in the vault.',
    fix: 'List only the name, and store the value in the vault. If it was ever committed, replace it.',
  },
  NOT_YET: {
    title: 'reserved for later',
    why: 'The key is part of the format but this version does not act on it, and ignoring it would be a lie.',
    fix: 'Remove it and say what the workload needs under `resources`.',
  },
  NO_EFFECT_YET: {
    title: 'key without effect (a warning)',
    why: 'The key is right and is kept, and nothing of this version acts on it. Nothing is refused for it; it is said so that no plan is built on it.',
    fix: 'Do what the message says instead, or leave the key in for the version that acts on it. docs/manifest.md lists all such keys.',
  },
  MANIFEST_COUPLED: {
    title: 'names a provider, region or machine',
    why: 'A workload says what it needs; who provides it is decided anew each time. A name ties it to one provider.',
    fix: 'Use the requirement that the message gives; it asks for the same thing without naming who sells it.',
  },
  PROBLEMS_TOO_MANY: {
    title: 'too many problems to list',
    why: 'After the first hundred, more lines would not help anybody.',
    fix: 'Fix those that are listed and run the command again.',
  },
} as const satisfies Record<string, ErrorDoc>
