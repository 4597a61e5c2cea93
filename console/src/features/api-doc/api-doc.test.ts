import { type Lang, routes } from '@busbar/contract'
import { openApiDocument } from '@busbar/contract/openapi'
import { expect, test } from 'vitest'
import { curlOf } from './curl.ts'
import { type ApiDocument, groupOperations, listOperations, searchOperations } from './openapi.ts'
import { listFields, sampleOf } from './schema-fields.ts'
import { fillPath } from './send-request.ts'

const documented = (lang: Lang) =>
  openApiDocument(routes, { title: 'Busbar', version: '1', lang }) as unknown as ApiDocument
const operations = listOperations(documented('en'))
const find = (anchor: string) => {
  const operation = operations.find((each) => each.anchor === anchor)
  if (!operation) throw new Error(`no operation ${anchor}`)
  return operation
}

test('shows every route of the contract, each once and in one group', () => {
  expect(operations).toHaveLength(routes.length)
  expect(new Set(operations.map(({ anchor }) => anchor)).size).toBe(routes.length)
  expect([...groupOperations(operations).values()].flat()).toHaveLength(routes.length)
})

test('finds a call by words of its path, its title and its method, in any order', () => {
  const found = searchOperations(operations, 'LOGIN post')
  expect(found.map(({ path }) => path)).toContain('/api/user/login')
  expect(searchOperations(listOperations(documented('cn')), '上传').map(({ path }) => path)).toEqual([
    '/api/v1/uploads',
  ])
  expect(searchOperations(operations, 'nothing like this')).toEqual([])
})

test('lists fields inside others under their whole names, and says what an answer without errors is', () => {
  const fields = listFields(find('get/api/v1/brand').answer)
  expect(fields.find(({ path }) => path === 'platformName.cn')).toMatchObject({ depth: 1, required: true })
  expect(fields.find(({ path }) => path === 'downloads[].url')).toMatchObject({ type: 'string' })
})

test('begins a body with its required fields and leaves the others out', () => {
  const { body, errors } = find('post/api/user/login')
  expect(sampleOf(body ?? {})).toMatchObject({ loginName: '', loginPwd: '' })
  expect(sampleOf(body ?? {})).not.toHaveProperty('terminalOS')
  expect(errors.some(({ status, text }) => status === '200' && text.startsWith('07010109'))).toBe(true)
})

test('shows each call as a shell command with placeholders', () => {
  const origin = 'https://cloud.example.test'
  expect(curlOf(find('get/api/v1/data/history'), origin)).toBe(
    [
      "curl 'https://cloud.example.test/api/v1/data/history?tagIds=<tagIds>&from=<from>&to=<to>'",
      "-H 'token: <token>'",
    ].join(' \\\n  '),
  )
  const login = curlOf(find('post/api/user/login'), origin)
  expect(login).toContain("curl -X POST 'https://cloud.example.test/api/user/login'")
  expect(login).not.toContain('token:')
  expect(login).toContain('"loginName":""')
  expect(curlOf(find('post/api/v1/ingest'), origin)).toContain("-u '<machineCode>:<secret>'")
  expect(curlOf(find('get/api/project/v1/data'), origin)).toContain("-u '<projectId>:<key>'")
  const embed = curlOf(find('post/api/project/getProjectMachineVisitUrl'), origin)
  expect(embed).toContain('"privateKey":""')
  expect(embed).not.toContain('-u ')
  expect(curlOf(find('post/api/v1/uploads'), origin)).toContain("-F 'file=@<file>'")
  expect(curlOf(find('get/api/v1/machine/{id}/reach'), origin)).toContain('/api/v1/machine/<id>/reach')
  const quoted = { ...find('post/api/user/login'), body: { const: "it's" } }
  expect(curlOf(quoted, origin)).toContain("-d '\"it'\\''s\"'")
})

test('puts a parameter into the address so that it stays one', () => {
  const call = {
    path: '/api/v1/things/{id}',
    parameters: ['id', 'search'].map((name) => ({
      name,
      in: name === 'id' ? ('path' as const) : ('query' as const),
      required: name === 'id',
      schema: {},
    })),
  }
  expect(fillPath(call, { id: '1/../2', search: 'a&b' })).toBe('/api/v1/things/1%2F..%2F2?search=a%26b')
  expect(fillPath(call, { id: '1', search: '' })).toBe('/api/v1/things/1')
})
