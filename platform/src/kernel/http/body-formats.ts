import { parse } from 'node:querystring'
import { isJsonTooLarge, limits } from '@busbar/contract'
import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { Failure } from './failure.ts'

/**
 * Bodies are JSON or a form. Their values are counted before anything is made of them: a short body with a hundred
 * thousand fields would hold the event loop for hundreds of milliseconds.
 */
export async function acceptBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    // Some clients name a type for every request, also for one without a body.
    if (text.trim() === '') done(null, undefined)
    else if (isJsonTooLarge(text, limits.jsonNodesMax)) done(new Failure('TOO_MANY_FIELDS'))
    else parseJson(request, text, done)
  })
  await app.register(formbody, { parser: parseForm })
}

/** @throws Failure TOO_MANY_FIELDS */
function parseForm(text: string): Record<string, unknown> {
  if (countValues(text) > limits.formValuesMax) throw new Failure('TOO_MANY_FIELDS')
  const form = parse(text, undefined, undefined, { maxKeys: 0 })
  if (Object.keys(form).length > limits.formNamesMax) throw new Failure('TOO_MANY_FIELDS')
  return form
}

function countValues(text: string): number {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) count++
  return count
}
