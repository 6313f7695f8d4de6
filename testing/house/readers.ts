import { join, relative } from 'node:path'
import { API } from 'typescript/unstable/sync'
import type { InterfaceDeclaration, Node, PropertySignatureDeclaration, SourceFile } from 'typescript/unstable/ast'
import { isInterfaceDeclaration, isPropertySignatureDeclaration } from 'typescript/unstable/ast/is'
import { ROOT } from './files.ts'

/**
 * The shipped files that read each of these properties, told by what a name means and not by how it is spelt. A property
 * is named `src/core/manifest/manifest.ts#Restart.class`; the file that declares it is no reader of it.
 */
export function readersOf(properties: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const api = new API({ cwd: ROOT })
  try {
    const [project] = api
      .updateSnapshot({ openProject: join(import.meta.dirname, 'tsconfig-shipped.json') })
      .getProjects()
    if (project === undefined) throw new Error('tsconfig-shipped.json opens no project')
    const { program, checker } = project
    return new Map(
      [...new Set(properties)].map((property) => {
        const [file = '', name = ''] = property.split('#')
        const { name: node } = propertyIn(program.getSourceFile(join(ROOT, file)), name)
        const found = checker.getReferencedSymbolsForNode(node, node.getStart())
        const paths = found.flatMap(({ references }) => references.map((one) => relative(ROOT, one.path)))
        return [property, [...new Set(paths)].filter((path) => path !== file && isShipped(path)).toSorted()]
      }),
    )
  } finally {
    api.close()
  }
}

function isShipped(path: string): boolean {
  return path.startsWith('src/') && !/\.(test|suite|fixture)\.ts$/.test(path)
}

/** `Restart.class`: a property of an interface that the file declares. */
function propertyIn(source: SourceFile | undefined, name: string): PropertySignatureDeclaration {
  const [owner, property] = name.split('.')
  const isOwner = (node: Node): node is InterfaceDeclaration => isInterfaceDeclaration(node) && node.name.text === owner
  const members = source?.statements.find(isOwner)?.members ?? []
  for (const node of members) if (isPropertySignatureDeclaration(node) && node.name.getText() === property) return node
  throw new Error(`there is no property ${name} where it is looked for`)
}
