/** The files that carry the version, by their path from the root of the repository. */
export const VERSIONED = ['CHANGELOG.md', 'package.json', 'package-lock.json', 'src/api/version.ts'] as const

export type Versioned = Readonly<Record<(typeof VERSIONED)[number], string>>

export interface Release {
  readonly version: string
  /** `2026-11-16`. */
  readonly date: string
}

/** The files as they are once the version is cut, or what is in the way of it. */
export function cut(
  files: Versioned,
  release: Release,
): { readonly files: Versioned } | { readonly problem: string; readonly hint: string } {
  const before = versionIn(files['package.json'])
  const problem = versionProblem(release.version, before) ?? changelogProblem(files['CHANGELOG.md'], release.version)
  if (problem !== undefined) return problem
  const isCarried = (text: string): boolean => text.includes(before)
  const missing = VERSIONED.filter((path) => path !== 'CHANGELOG.md' && !isCarried(files[path]))
  if (missing.length > 0) {
    return { problem: `${missing.join(', ')} does not say ${before}.`, hint: 'Set it to the version of package.json.' }
  }
  return {
    files: {
      'CHANGELOG.md': files['CHANGELOG.md'].replace(
        UNRELEASED,
        `## Unreleased\n\n## ${release.version} (${release.date})\n`,
      ),
      'package.json': withVersion(files['package.json'], { before, version: release.version, times: 1 }),
      // Its own, and that of the package at the root.
      'package-lock.json': withVersion(files['package-lock.json'], { before, version: release.version, times: 2 }),
      'src/api/version.ts': files['src/api/version.ts'].replace(`'${before}'`, `'${release.version}'`),
    },
  }
}

const UNRELEASED = /^## Unreleased\n/m

function versionIn(packageJson: string): string {
  return /^ {2}"version": "([^"]+)"/m.exec(packageJson)?.[1] ?? ''
}

function withVersion(
  text: string,
  { before, version, times }: { readonly before: string; readonly version: string; readonly times: number },
): string {
  let left = times
  return text.replaceAll(`"version": "${before}"`, (found) => (left-- > 0 ? `"version": "${version}"` : found))
}

function versionProblem(version: string, before: string) {
  const [now, then] = [parts(version), parts(before)]
  if (now === undefined) return { problem: `${version} is no version.`, hint: 'Write it as 0.2.0.' }
  const at = now.findIndex((part, index) => part !== then?.[index])
  const isLater = at >= 0 && (now[at] ?? 0) > (then?.[at] ?? 0)
  return isLater ? undefined : { problem: `${version} does not come after ${before}.`, hint: 'Give a later version.' }
}

function parts(version: string): readonly number[] | undefined {
  return /^\d+\.\d+\.\d+$/.test(version) ? version.split('.').map(Number) : undefined
}

function changelogProblem(changelog: string, version: string) {
  if (changelog.includes(`\n## ${version} `) || changelog.includes(`\n## ${version},`)) {
    return { problem: `CHANGELOG.md has ${version} already.`, hint: 'Give a later version.' }
  }
  const [, unreleased] = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? []
  if (unreleased === undefined) {
    return { problem: 'CHANGELOG.md has no Unreleased section.', hint: 'Add "## Unreleased" above the last version.' }
  }
  return unreleased.trim() === ''
    ? { problem: 'There is nothing under Unreleased in CHANGELOG.md.', hint: 'Say there what changed for users.' }
    : undefined
}
