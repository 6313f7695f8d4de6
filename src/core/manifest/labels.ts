/** Names and values of labels are short and contain nothing that a terminal or a selector would interpret. */
export const LABEL_KEY = /^[a-zA-Z0-9](?:[a-zA-Z0-9._/-]{0,61}[a-zA-Z0-9])?$/
export const LABEL_VALUE = /^[^\p{Cc},=]{0,127}$/u
export const LABELS_MAX = 32
