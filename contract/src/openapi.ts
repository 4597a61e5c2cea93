import { z } from 'zod'
import { type ErrorCode, errors, kindOnPath } from './errors.ts'
import { groupOf, inGroups } from './meanings/groups.ts'
import { meaningOf } from './meanings/index.ts'
import {
  bodyBytesMaxOf,
  changesSettings,
  commonErrors,
  isLegacyPath,
  loadErrors,
  type Route,
  settingsErrors,
  type Who,
} from './route.ts'
import type { Lang } from './text.ts'

type Json = Record<string, unknown>

/** As much of JSON Schema as is walked here. */
interface Schema {
  description?: unknown
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

/** The OpenAPI 3.1 document of the given routes. */
export function openApiDocument(
  routes: readonly Route[],
  about: { title: string; version: string; lang: Lang },
): Json {
  const paths: Record<string, Json> = {}
  for (const route of inGroups(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, about.lang) }
  }
  return {
    openapi: '3.1.0',
    info: { title: about.title, version: about.version },
    tags: [...new Set(inGroups(routes).map((route) => groupOf(route)[about.lang]))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token' },
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'token' },
        machine: { type: 'http', scheme: 'basic' },
        projectKey: { type: 'http', scheme: 'basic' },
      },
    },
  }
}

function operation(route: Route, lang: Lang): Json {
  const schema = z.toJSONSchema(route.request, { io: 'input', unrepresentable: 'any' }) as Schema
  explain(schema, route, lang)
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const properties = schema.properties ?? {}
  const withBody = route.method === 'POST' || route.method === 'PUT'
  const parameters = Object.entries(properties)
    .filter(([name]) => !withBody || inPath.includes(name))
    .map(([name, field]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || (schema.required ?? []).includes(name),
      ...(field.description === undefined ? {} : { description: field.description }),
      schema: field,
    }))
  const body = Object.fromEntries(Object.entries(properties).filter(([name]) => !inPath.includes(name)))
  const bodySchema = {
    type: 'object',
    properties: body,
    required: (schema.required ?? []).filter((name) => !inPath.includes(name)),
  }
  return {
    summary: route.title[lang],
    tags: [groupOf(route)[lang]],
    'x-permission': route.who,
    'x-limits': route.limits,
    ...(route.load ? { 'x-load': route.load } : {}),
    ...(withBody ? { 'x-bytes-max': bodyBytesMaxOf(route) } : {}),
    security: security(route.who),
    ...(parameters.length ? { parameters } : {}),
    ...(withBody
      ? {
          requestBody: {
            content: route.multipart
              ? { 'multipart/form-data': { schema: bodySchema } }
              : {
                  'application/json': { schema: bodySchema },
                  'application/x-www-form-urlencoded': { schema: bodySchema },
                },
          },
        }
      : {}),
    responses: responses(route, lang),
  }
}

/** Writes the meaning of each field into a schema, in the reader's language. */
function explain(schema: Schema, route: Route, lang: Lang, parents: readonly string[] = []): void {
  if (schema.items) explain(schema.items, route, lang, parents)
  for (const option of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((options) => options ?? []))
    explain(option, route, lang, parents)
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const described = typeof field.description === 'string' ? field.description : ''
    const meaning = meaningOf({ path: route.path, parents, name, described }, lang)
    if (meaning === undefined) delete field.description
    else field.description = meaning
    explain(field, route, lang, [...parents, name])
  }
}

function security(who: Who): Json[] {
  if (who === 'public') return []
  if (who === 'machine') return [{ machine: [] }]
  if (who === 'projectKey') return [{ projectKey: [] }]
  return [{ token: [] }, { bearer: [] }, { cookie: [] }]
}

function responses(route: Route, lang: Lang): Json {
  const data = z.toJSONSchema(route.answer, { io: 'output', unrepresentable: 'any' }) as Schema
  explain(data, route, lang)
  const envelope = {
    type: 'object',
    required: ['hwcode', 'hwreason', 'hwdata'],
    properties: {
      hwcode: { const: 0 },
      hwreason: { const: 'OK' },
      hwdata: data,
      ...(isLegacyPath(route.path) ? { result: data } : {}),
    },
  }
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set<ErrorCode>([
    ...route.errors,
    ...(route.load ? loadErrors : []),
    ...(changesSettings(route) ? settingsErrors : []),
    ...commonErrors,
  ])) {
    const status = kindOnPath(errors[code], route.path).http
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const businessErrors = byStatus.get(200) ?? []
  const success = route.bare
    ? data
    : businessErrors.length
      ? { oneOf: [envelope, failure(businessErrors, route.path)] }
      : envelope
  const list: Json = {
    200: {
      description: ['OK', ...businessErrors.map((code) => `${code} ${errors[code].text[lang]}`)].join('; '),
      content: route.file
        ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
        : { 'application/json': { schema: success } },
    },
  }
  for (const [status, codes] of byStatus) {
    if (status === 200) continue
    list[String(status)] = {
      description: codes.map((code) => errors[code].text[lang]).join('; '),
      content: { 'application/json': { schema: failure(codes, route.path) } },
    }
  }
  return list
}

function failure(codes: readonly ErrorCode[], path: string): Json {
  return {
    type: 'object',
    required: ['hwcode', 'hwreason', 'error'],
    properties: {
      hwcode: { enum: [...new Set(codes.map((code) => kindOnPath(errors[code], path).hwcode))] },
      hwreason: { type: 'string' },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { enum: codes }, message: { type: 'string' }, field: { type: 'string' } },
      },
    },
  }
}
