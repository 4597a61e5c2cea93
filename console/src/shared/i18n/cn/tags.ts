import type { tagSettings, telemetry } from '@busbar/contract'

/** The words of a form and a file of variables. */
export interface TagsText {
  edit: (name: string) => string
  more: string
  title: string
  preview: string
  name: string
  unit: string
  unitHint: string
  type: string
  typeOwn: string
  typeHint: string
  types: Readonly<Record<telemetry.TagType, string>>
  digits: string
  /** `n` is empty if the device does not set a number of digits. */
  digitsOwn: (n: string) => string
  min: string
  max: string
  limitsHint: (range: string) => string
  limitsFree: string
  texts: string
  textsHint: string
  on: string
  off: string
  writable: string
  writableHint: string
  reset: string
  save: string
  saved: string
  problems: {
    long: (max: string) => string
    number: string
    order: string
    line: (line: string) => string
    value: (value: string) => string
    twice: (value: string) => string
  }
  meters: {
    title: string
    hint: string
    at: string
    from: string
    to: string
    add: string
    one: (at: string, from: string, to: string) => string
    remove: string
  }
  exporting: { action: string; failed: string; file: string }
  importing: {
    action: string
    title: string
    lead: string
    choose: string
    check: string
    apply: (n: string) => string
    changes: (n: string) => string
    none: string
    unchanged: (n: string) => string
    refused: (n: string) => string
    refusedHint: string
    line: (line: string, why: string) => string
    column: (name: string, why: string) => string
    further: (n: string) => string
    done: (n: string) => string
    failed: string
    fields: Readonly<
      Record<'name' | 'unit' | 'scale' | 'min' | 'max' | 'enum' | 'readAs' | 'writable', string>
    >
    /** Before the former and the new value. */
    field: (name: string) => string
    own: string
    yes: string
    no: string
    noUnit: string
    refusals: Readonly<Record<tagSettings.TagLineRefusal, string>>
  }
}

export const tagsText: TagsText = {
  edit: (name) => `编辑 ${name}`,
  more: '导入和导出',
  title: '编辑变量',
  preview: '预览',
  name: '名称',
  unit: '单位',
  unitHint: '输入 - 表示不显示单位',
  type: '数据类型',
  typeOwn: '自动识别',
  typeHint: '从下一个值起生效，此前的历史保留原类型。',
  types: { bool: '开关', int64: '整数', float64: '小数', string: '文本' },
  digits: '小数位数',
  digitsOwn: (n) => (n === '' ? '按原值显示' : `设备默认（${n} 位）`),
  min: '下限',
  max: '上限',
  limitsHint: (range) => `写入时检查。设备的范围：${range}`,
  limitsFree: '写入时检查，留空表示不限制',
  texts: '枚举文本',
  textsHint: '每行一个值，例如 0 = 停止',
  on: '开启时的文本',
  off: '关闭时的文本',
  writable: '允许写入',
  writableHint: '设备未说明变量是否可写，请仅对设备允许写入的变量开启。',
  reset: '恢复设备默认值',
  save: '保存',
  saved: '变量已保存',
  problems: {
    long: (max) => `最多 ${max} 个字符，汉字算两个字符`,
    number: '请输入数字',
    order: '下限大于上限',
    line: (line) => `“${line}”格式不正确，应为“值 = 文本”，例如 0 = 停止`,
    value: (value) => `“${value}”不是整数`,
    twice: (value) => `值 ${value} 重复`,
  },
  meters: {
    title: '换表记录',
    hint: '更换或清零计量表后在此登记，增量按旧表和新表的读数计算，历史数据同样适用。登记和删除立即生效。',
    at: '换表时间',
    from: '旧表最后读数',
    to: '新表起始读数',
    add: '登记',
    one: (at, from, to) => `${at}：${from} → ${to}`,
    remove: '删除记录',
  },
  exporting: { action: '导出 CSV', failed: '变量导出失败，请重试', file: '变量表' },
  importing: {
    action: '导入 CSV…',
    title: '导入变量表',
    lead: '请选择与导出格式相同的 CSV 文件。每行按 group 和 tag 列匹配变量，空单元格恢复为设备默认值。应用前会列出全部修改。',
    choose: '选择文件',
    check: '应用修改',
    apply: (n) => `应用 ${n} 项修改`,
    changes: (n) => `将修改 ${n} 个变量`,
    none: '文件中没有需要修改的内容',
    unchanged: (n) => `${n} 个不变`,
    refused: (n) => `${n} 行有错误`,
    refusedHint: '请改正文件后重新选择，所有行均无错误时才能应用。',
    line: (line, why) => `第 ${line} 行：${why}`,
    column: (name, why) => `${why}（${name} 列）`,
    further: (n) => `另有 ${n} 项`,
    done: (n) => `已修改 ${n} 个变量`,
    failed: '导入失败，未修改任何变量',
    fields: {
      name: '名称',
      unit: '单位',
      scale: '小数位数',
      min: '下限',
      max: '上限',
      enum: '枚举文本',
      readAs: '数据类型',
      writable: '允许写入',
    },
    field: (name) => `${name}：`,
    own: '设备默认',
    yes: '是',
    no: '否',
    noUnit: '无',
    refusals: {
      tagUnknown: '设备没有该变量',
      tagTwice: '变量重复',
      line: '单元格内容无法识别',
      TAG_DIGITS_TYPE: '只有浮点数变量可以设置小数位数',
      TAG_LIMITS_TYPE: '只有数值变量可以设置上下限',
      TAG_LIMITS_ORDER: '下限大于上限',
      TAG_LIMITS_DEVICE: '上下限超出设备的范围',
      TAG_VALUES_TYPE: '枚举文本与变量类型不符',
      TAG_TYPE_DEVICE: '变量的类型由设备决定，不能修改',
      TAG_WRITABLE_DEVICE: '变量是否可写由设备决定，不能修改',
      TAG_RESETS_TYPE: '只有数值变量可以登记换表',
    },
  },
}
