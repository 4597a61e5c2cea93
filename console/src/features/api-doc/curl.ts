import type { Operation, Schema } from './openapi.ts'
import { sampleOf } from './schema-fields.ts'

/** A call as a shell command, with placeholders in `<>`. */
export function curlOf(operation: Operation, origin: string): string {
  const { method, path, parameters, body, isForm } = operation
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=<${name}>`)
  const address = `${origin}${path.replace(/\{(\w+)\}/g, '<$1>')}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(address)}`,
    ...proofOf(operation),
    ...(body ? (isForm ? formOf(body) : jsonOf(body)) : []),
  ].join(' \\\n  ')
}

/** The options with which a caller authenticates. */
function proofOf({ permission, body }: Operation): string[] {
  if (permission === 'public') return []
  if (permission === 'machine') return [`-u ${quote('<machineCode>:<secret>')}`]
  if (permission === 'projectKey')
    return body?.properties?.privateKey ? [] : [`-u ${quote('<projectId>:<key>')}`]
  return [`-H ${quote('token: <token>')}`]
}

function jsonOf(body: Schema): string[] {
  return [`-H ${quote('content-type: application/json')}`, `-d ${quote(JSON.stringify(sampleOf(body)))}`]
}

function formOf({ properties = {}, required = [] }: Schema): string[] {
  return required.map((name) => {
    const isFile = properties[name]?.format === 'binary' || name === 'file'
    return `-F ${quote(`${name}=${isFile ? '@' : ''}<${name}>`)}`
  })
}

/** One word of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
