/** The path of what is in a namespace: `/api/v1/namespaces/ml/pods/x/log`. */
export function inNamespace(namespace: string, ...parts: readonly string[]): string {
  return `/api/v1/namespaces/${[namespace, ...parts].map(encodeURIComponent).join('/')}`
}

/** The path of what is in no namespace, or in all of them. */
export function inCluster(...parts: readonly string[]): string {
  return `/api/v1/${parts.map(encodeURIComponent).join('/')}`
}

export function inGroup(group: string, ...parts: readonly string[]): string {
  return `/apis/${group}/${parts.map(encodeURIComponent).join('/')}`
}

/** The path of a kind of object in a namespace, by the version that the object is written in: `resource.k8s.io/v1`. */
export function ofKind(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  ...[namespace, ...name]: readonly [string, ...string[]]
): string {
  const parts = ['namespaces', namespace, `${kind.toLowerCase()}s`, ...name]
  return apiVersion.includes('/') ? inGroup(apiVersion, ...parts) : inCluster(...parts)
}
