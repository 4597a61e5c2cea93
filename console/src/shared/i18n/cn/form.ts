/** The problem of a field, if its form has no words for it. */
export const form = {
  required: '此项必填',
  atLeast: (n: number) => `至少 ${n} 个字符`,
  atMost: (n: number) => `最多 ${n} 个字符`,
  visible: '不能只有空格或无法显示的字符',
  noControls: '不能包含无法显示的字符',
  noSpecial: '只能使用文字、数字、空格和 - _ ·',
  patterns: {
    email: '邮箱格式不正确',
    phone: '手机号格式不正确',
    machineCode: '机器码为 19 位数字',
    version: '版本号格式为 1.2.3',
    host: '域名格式不正确',
  } as Readonly<Record<string, string>>,
  format: '格式不正确',
  whole: '只能输入整数',
  numberMin: (n: string) => `不能小于 ${n}`,
  numberMax: (n: string) => `不能大于 ${n}`,
  failed: '操作失败，请重试',
}
