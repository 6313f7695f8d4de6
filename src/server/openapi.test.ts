import { expect, test } from 'vitest'
import { ROUTES } from '../api/routes.ts'
import type { Route } from '../api/route.ts'
import { bearer, world } from './server.suite.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

async function documentOf() {
  const { app, token } = world()
  const response = await app.inject({ url: '/v2/openapi.json', headers: bearer(await token('reader', ['a'])) })
  expect(response.statusCode).toBe(200)
  return response.json()
}

test('the document is OpenAPI 3.1 and lists every route with its parameters, body and answers', async () => {
  const document = await documentOf()
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Berth', version: '0' } })
  const routes: readonly (readonly [string, Route])[] = Object.entries(ROUTES)
  for (const [id, route] of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const operation: Operation = document.paths[path]?.[route.method.toLowerCase()]
    expect(operation.operationId).toBe(id)
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => name).toSorted()).toEqual(named.toSorted())
    expect(inPath.every(({ required }) => required)).toBe(true)
    expect(operation.requestBody === undefined).toBe(route.body === undefined)
    expect(Object.keys(operation.responses)).toEqual([String(route.status), 'default'])
    expect(Object.values(operation.responses).every(({ description }) => description !== '')).toBe(true)
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(Object(path)))
  expect(operations).toHaveLength(routes.length)
})

test('operation ids are unique, every reference resolves, and no private schema is left', async () => {
  const document = await documentOf()
  const text = JSON.stringify(document)
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? '')
  expect(references.length).toBeGreaterThan(10)
  for (const reference of references) {
    expect(reference).toMatch(/^#\/components\/schemas\/\w+$/)
    expect(document.components.schemas[reference.split('/').at(-1) ?? '']).toBeDefined()
  }
  expect(text).not.toContain('$defs')
  expect(text).not.toContain('$schema')
  const ids = Object.keys(ROUTES)
  expect(new Set(ids).size).toBe(ids.length)
})

test('what the server answers is what the schemas say', async () => {
  const { app, token } = world()
  const headers = bearer(await token('admin', ['*']))
  const text = 'berth: v1\nkind: job\nname: thing\nimage: a\nresources: { cpu: 1 }\n'
  await app.inject({ method: 'POST', url: '/v2/projects/default/workloads', headers, payload: { text } })
  await app.inject({
    method: 'PUT',
    url: '/v2/projects/default/secrets/THING',
    headers,
    payload: { value: 'some-value' },
  })
  await app.inject({ method: 'POST', url: '/v2/projects/default/templates/thing', headers, payload: { text } })
  await app.inject({ method: 'PUT', url: '/v2/providers/thing', headers, payload: { kind: 'sim' } })
  const routes: readonly Route[] = Object.values(ROUTES)
  let checked = 0
  for (const { method, kind, path, answer } of routes) {
    if (method !== 'GET' || kind !== 'json') continue
    const url = path.replace(':project', 'default').replace(':name', 'thing')
    const response = await app.inject({ url, headers })
    expect({ url, status: response.statusCode }).toEqual({ url, status: 200 })
    expect({ url, problems: answer.safeParse(response.json()).error?.issues }).toEqual({ url, problems: undefined })
    checked++
  }
  expect(checked).toBeGreaterThan(12)
})
