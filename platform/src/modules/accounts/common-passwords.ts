import { mostCommonPasswords } from './common-password-list.ts'

/** Further ones of published lists: usual in China, and of administrators. */
const alsoCommon = `
  0987654321 100200 101010 110110 121212 12312312 123123123 1234321 123454321 123456abc 200000 222222 22222222
  232323 333333 444444 5201314 520520 555555 55555555 654321 66666666 777777 87654321 888888 88888888 987654
  98765432 987654321 999999 99999999 a1234567 a12345678 a123456789 aa123456 aaaaaa abc123456 abcdef abcdefg
  admin123 admin888 administrator default guest123 login123 ninja123 p@ssw0rd p@ssword pass123 pass1234
  password12 qq123456 root123 test1234 user1234 w123456 woaini woaini1314 woaini520 xiaoming zxcvbnm123`
  .trim()
  .split(/\s+/)

/** Passwords that a guesser tries first, without case, as far as they are long enough to be accepted. */
const common: ReadonlySet<string> = new Set([...mostCommonPasswords, ...alsoCommon])

/** Whether a password is among the first a guesser would try. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.normalize('NFKC').toLowerCase())
}
