import type { Lang } from '@busbar/contract'
import { qualityOf } from '../telemetry/index.ts'

/** The words of a file. */
export interface FileWords {
  readonly time: string
  readonly offset: string
  readonly device: string
  readonly group: string
  readonly variable: string
  readonly value: string
  readonly unit: string
  readonly quality: string
  readonly qualities: Readonly<Record<'good' | 'uncertain' | 'stale' | 'bad', string>>
  readonly values: string
}

/** The words of files in each language; `zone`: that of their times. */
export const fileWords: Readonly<Record<Lang, FileWords>> = {
  cn: {
    time: '时间',
    offset: '时差',
    device: '设备',
    group: '分组',
    variable: '变量',
    value: '值',
    unit: '单位',
    quality: '质量',
    qualities: { good: '正常', uncertain: '存疑', stale: '过期', bad: '无效' },
    values: '数据',
  },
  en: {
    time: 'Time',
    offset: 'UTC offset',
    device: 'Device',
    group: 'Group',
    variable: 'Variable',
    value: 'Value',
    unit: 'Unit',
    quality: 'Quality',
    qualities: { good: 'good', uncertain: 'uncertain', stale: 'stale', bad: 'bad' },
    values: 'Values',
  },
}

/** The word for a stored quality. */
export const qualityWord = ({ qualities }: FileWords, quality: number): string =>
  qualities[qualityOf(quality)]
