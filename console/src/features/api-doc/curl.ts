import type { Operation, Schema } from './openapi.ts'
import { sampleOf } from './schema-fields.ts'

/** A call as a shell command, with placeholders in `<>`. */
export function curlOf(operation: Operation, origin: string): string {
  const { method, path, parameters, permission, body, isForm } = operation
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=<${name}>`)
  const address = `${origin}${path.replace(/\{(\w+)\}/g, '<$1>')}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(address)}`,
    ...proofOf(permission),
    ...(body ? (isForm ? formOf(body) : jsonOf(body)) : []),
  ].join(' \\\n  ')
}

/** The options with which a caller authenticates. */
function proofOf(permission: Operation['permission']): string[] {
  if (permission === 'public') return []
  return [
    permission === 'machine' ? `-u ${quote('<machineCode>:<secret>')}` : `-H ${quote('token: <token>')}`,
  ]
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
