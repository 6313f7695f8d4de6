/** What holds when there is no infrastructure file: this host, and nothing else. */
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
