import { keyMarkAt } from '../core/document/look-up.ts'
import { readYaml } from '../formats/yaml/yaml.ts'
import type { SettingProblem } from '../providers/settings.ts'

/** Where the infrastructure file has a setting of a provider: `berth.config.yaml:7:20`. */
export function settingPlaces(
  text: { readonly file: string; readonly text: string } | undefined,
): (provider: string, path: SettingProblem['path']) => string | undefined {
  const read = text && readYaml(text.text, text.file)
  if (read === undefined || !('document' in read)) return () => undefined
  const { document } = read
  return (provider, path) => {
    const { line, column } = keyMarkAt(document, ['providers', provider, 'settings', ...path])
    return `${document.file}:${line}:${column}`
  }
}
