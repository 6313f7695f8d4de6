/** How a command answers: for people, or for scripts. */
export type Format = 'text' | 'json' | 'yaml'
