/** A file that a person chose, before it is imported. */
export const tableFileText = {
  preview: '文件前几行',
  encoding: '文件编码',
  choose: '请选择',
  encodings: {
    'utf-8': 'UTF-8',
    'utf-16le': 'UTF-16',
    'utf-16be': 'UTF-16（大端）',
    gb18030: 'GB18030（中文 Excel）',
    'windows-1252': 'Windows-1252（西欧 Excel）',
  },
  delimiters: { ',': '逗号分隔', ';': '分号分隔', '\t': '制表符分隔' },
  rows: (n: string, delimiter: string) => `共 ${n} 行（含表头），${delimiter}`,
  hint: '文字不对时，请选择其他编码。',
  empty: '文件为空。',
  tooLarge: '文件过大，请拆分为多个文件。',
  unread: '无法读取该文件。',
  faults: {
    text: (line: string, column: string) =>
      `第 ${line} 行第 ${column} 个字符不属于该编码，请选择其他编码，或在表格软件中重新保存。`,
    quote: (line: string, column: string) => `第 ${line} 行第 ${column} 个字符处的引号没有结束，请修改文件。`,
    workbook: '这是 Excel 工作簿，请在 Excel 中另存为 CSV 后选择该文件。',
  },
}

export type TableFileText = typeof tableFileText
