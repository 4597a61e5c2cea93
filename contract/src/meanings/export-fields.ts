/** Fields of exports: in Chinese, and in English; keys as in people-fields.ts. */
export const exportFields = {
  'export.tagIds': [
    '变量 ID；类型更改前的数据也会导出',
    'The variables, by id; values of before a change of type are included',
  ],
  format: ['文件格式', 'The format of the file'],
  'export.layout': [
    'wide 每个时间一行、每个变量一列；long 每个值一行；sheetPerMachine 每台设备一个工作表（仅 xlsx）',
    'wide: a row for each time, a column for each variable; long: a row for each value; sheetPerMachine: a sheet for each device (xlsx only)',
  ],
  timezone: ['文件中时间的 IANA 时区', 'The IANA zone of the times in the file'],
  'export.interval': [
    '时间间隔，秒，或 day（该时区的一天）；不填为全部采样值',
    'The interval in seconds, or day (a day of that zone); without it every sample',
  ],
  'export.agg': ['每个间隔的统计方式', 'The value of an interval'],
  'export.samples': ['采样值个数（估计）', 'How many samples (estimate)'],
  'export.rows': ['行数；预览时为估计', 'How many rows; of a preview an estimate'],
  'export.bytes': ['文件大小，字节；预览时为估计', 'The size of the file in bytes; of a preview an estimate'],
  'export.sheets': ['工作表数（估计）', 'How many sheets (estimate)'],
  'export.columns': ['列名', 'The names of the columns'],
  'export.head': ['前几行', 'The first rows'],
  'export.jobId': ['导出任务 ID', 'The export’s id'],
  'export.name': ['文件名', 'The name of the file'],
  'export.state': ['状态', 'Its state'],
  'export.progress': ['进度，0 到 1', 'How far it is, from 0 to 1'],
  'export.machines': ['设备名称', 'The names of the devices'],
  'export.tags': ['变量数', 'How many variables'],
  'export.reason': [
    '失败原因的错误码；空为未失败',
    'The code of the error it failed with; empty: it has not',
  ],
  'export.damaged': [
    '部分存储的数据无法读取，文件中缺少这些数据',
    'Whether stored values that can’t be read are missing in the file',
  ],
  'export.createdAt': ['创建时间', 'When it was asked for'],
  'export.endedAt': ['结束时间', 'When it ended'],
  'export.expiresAt': ['文件删除时间', 'When the file is removed'],
  'export.from': ['起始时间', 'The beginning of the span'],
  'export.to': ['结束时间（不含）', 'The end of the span, excluded'],
  'export.url': [
    '下载地址；未就绪或权限不足时为空',
    'Where the file is; null: it is not ready, or rights are missing',
  ],
  'export.lost': ['已无权限的设备名称', 'The names of devices whose values the caller may not see any more'],
} as const satisfies Readonly<Record<string, readonly [cn: string, en: string]>>
