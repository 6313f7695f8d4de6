/** How an instance ended. */
export type Exit =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'out-of-memory' }
  /** The provider took it away. */
  | { readonly kind: 'preempted' }
  /** The machine under it failed. */
  | { readonly kind: 'machine' }
  /** It never came up: the image is not there, the start failed. */
  | { readonly kind: 'start'; readonly why: string }
  /** What it reads could not be fetched, or what it wrote could not be saved. */
  | { readonly kind: 'storage'; readonly why: string }
