/**
 * The most common passwords of published lists that are long enough to be accepted, without case: a guesser tries them
 * first. The head of such a list, not all of it.
 */
const common: ReadonlySet<string> = new Set(
  `
  000000 0987654321 100200 101010 110110 111111 11111111 112233 11223344 121212 123123 12312312 123123123 123321
  1234321 123454321 123456 1234567 12345678 123456789 1234567890 123456a 123456abc 123654 123abc 123qwe 12qwaszx
  131313 147258 147258369 159357 159753 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 200000 222222 22222222 232323 333333
  444444 520520 5201314 555555 55555555 654321 666666 66666666 696969 7777777 777777 789456 789456123 87654321
  88888888 888888 987654 987654321 98765432 999999 99999999 a12345 a123456 a1234567 a12345678 a123456789 aa123456
  aaaaaa abc123 abc123456 abcd1234 abcdef abcdefg admin123 admin888 administrator asd123 asdasd asdfgh asdfghjkl
  azerty baseball charlie changeme computer daniel default dragon football freedom guest123 hello123 iloveyou
  internet jordan killer letmein login123 lovely master michael monkey mustang ninja123 p@ssw0rd p@ssword pass123
  pass1234 passw0rd password password1 password12 password123 princess q1w2e3r4 qazwsx qazwsxedc qq123456 qwe123
  qweasd qweqwe qwer1234 qwerty qwerty1 qwerty123 qwertyui qwertyuiop root123 samsung secret shadow superman
  sunshine system test123 test1234 trustno1 user1234 w123456 welcome welcome1 whatever woaini woaini520 woaini1314
  xiaoming zaq12wsx zxc123 zxcvbn zxcvbnm zxcvbnm123`
    .trim()
    .split(/\s+/),
)

/** Whether a password is among the first a guesser would try. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.normalize('NFKC').toLowerCase())
}
