import { type ErrorCode, errors, type Text } from '@busbar/contract'
import type { AddressProblem, OutgoingError } from './outgoing-error.ts'

type Reason = readonly [cn: string, en: string]

const reasons: Readonly<Record<Exclude<AddressProblem, 'protocol' | 'plain'>, Reason>> = {
  syntax: ['格式不正确', 'it isn’t complete or has a typing error'],
  user: ['不能包含用户名或密码', 'a user name or a password can’t be in it'],
  port: ['该端口不允许', 'this port isn’t allowed'],
  form: ['请直接写出 IP 地址', 'write the IP address as it is'],
  loopback: ['本机地址', 'an address of the platform itself'],
  private: ['内网地址', 'an address of a private network'],
  linkLocal: ['链路本地地址', 'a link-local address'],
  multicast: ['组播或广播地址', 'a multicast address'],
  unspecified: ['未指定的地址', 'an unspecified address'],
  embedded: ['内嵌 IPv4 的地址', 'an address with an IPv4 address in it'],
  reserved: ['保留地址', 'a reserved address'],
}

/**
 * Names the address that the typed one became, and why that may not be called; otherwise after the error’s own text.
 * `protocol`: the one with TLS.
 */
export function describeRefusal(
  { problem, address }: Pick<OutgoingError, 'problem' | 'address'>,
  code: ErrorCode,
  protocol: string,
): Text {
  const [cn, en] = reasonOf(problem, protocol)
  return address
    ? { cn: `该地址指向 ${address}：${cn}`, en: `This address leads to ${address}: ${en}` }
    : { cn: `${errors[code].text.cn}：${cn}`, en: `${errors[code].text.en}: ${en}` }
}

function reasonOf(problem: AddressProblem | undefined, protocol: string): Reason {
  if (problem === undefined) return ['域名无法解析', 'the name has no address']
  return problem === 'protocol' || problem === 'plain'
    ? [`须以 ${protocol}:// 开头`, `it has to begin with ${protocol}://`]
    : reasons[problem]
}
