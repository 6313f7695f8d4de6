/** Used when there is no infrastructure file: this host is the only provider. */
export const DEFAULT_CONFIG = {
  file: 'built-in configuration',
  text: `berth: v1
kind: config
providers:
  local:
    kind: local
    settings: { runtime: auto }
`,
}
