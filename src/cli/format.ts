/** The format of a command's output: text for people, JSON and YAML for scripts. */
export type Format = 'text' | 'json' | 'yaml'
