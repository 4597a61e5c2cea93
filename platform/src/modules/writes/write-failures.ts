import { type telemetry as contract, decimalPlaces } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import type { WrittenValue } from './is-written.ts'

/** The tag a value was meant for, with the name its writer reads. */
export type NamedTag = Pick<contract.Tag, 'name' | 'scale' | 'min' | 'max'>

/** The tag, or the type that its machine announced, does not allow the value. */
export function outOfRange({ name, min, max }: NamedTag, value: WrittenValue): Failure {
  const bounds = { cn: '', en: '' }
  if (min !== null && max !== null) {
    bounds.cn = `允许 ${min} 至 ${max}，`
    bounds.en = `accepts ${min} to ${max}; `
  } else if (min !== null) {
    bounds.cn = `不能小于 ${min}，`
    bounds.en = `accepts ${min} or more; `
  } else if (max !== null) {
    bounds.cn = `不能大于 ${max}，`
    bounds.en = `accepts ${max} or less; `
  }
  return new Failure('VALUE_RANGE', {
    data: { tag: name, value: String(value), min, max },
    text: {
      cn: `变量“${name}”${bounds.cn}${value} 超出允许范围，未写入`,
      en: `${name} ${bounds.en || 'doesn’t accept this value; '}${value} is out of range and wasn’t written`,
    },
  })
}

/** The value has more decimal places than the tag, whose places are `places`. */
export function tooManyPlaces(tag: NamedTag, value: number, places: number): Failure {
  const has =
    places === 0 ? 'accepts only whole numbers' : `has ${places} decimal place${places === 1 ? '' : 's'}`
  return tooManyDigits(tag, value, places, {
    cn: places === 0 ? '只能写入整数' : `最多 ${places} 位小数`,
    en: `${has}; ${value} has ${decimalPlaces(value)}`,
  })
}

/** The value has more digits than a float32 gives back. */
export function tooManyForFloat32(tag: NamedTag, value: WrittenValue): Failure {
  return tooManyDigits(tag, value, tag.scale, {
    cn: '是 32 位浮点数，约有 7 位有效数字',
    en: `is a 32-bit float with about 7 digits; ${value} has more`,
  })
}

/** An integer that came as a number beyond 2^53, where a number is one of several. */
export function tooLargeForNumber(tag: NamedTag, value: number): Failure {
  return tooManyDigits(tag, value, 0, {
    cn: `的整数超过 ${Number.MAX_SAFE_INTEGER} 时须以字符串发送`,
    en: `accepts integers beyond ${Number.MAX_SAFE_INTEGER} only as a string; the number ${value} may already be rounded`,
  })
}

function tooManyDigits(
  { name }: NamedTag,
  value: WrittenValue,
  scale: number | null,
  why: { cn: string; en: string },
): Failure {
  return new Failure('VALUE_DIGITS', {
    data: { tag: name, value: String(value), scale },
    text: {
      cn: `变量“${name}”${why.cn}，${value} 位数过多，系统不会自动舍入，未写入`,
      en: `${name} ${why.en}. Values aren’t rounded automatically, so the value wasn’t written`,
    },
  })
}
