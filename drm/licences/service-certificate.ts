import { readFields } from '../protobuf.ts'

/** The type of a SignedMessage that carries a service certificate, and that of the certificate inside. */
const SERVICE_CERTIFICATE = 5
const SERVICE = 3

/**
 * Returns whether the bytes have the form of a certificate of a Widevine licence service: a SignedDrmCertificate, or the
 * SignedMessage around one, as a licence server sends it. The signature is not verified.
 */
export function isServiceCertificate(bytes: Buffer): boolean {
  const [type, message] = [valueIn(bytes, 1), valueIn(bytes, 2)]
  const signed = type === SERVICE_CERTIFICATE ? toBuffer(message) : bytes
  const certificate = toBuffer(valueIn(signed, 1))
  const signature = toBuffer(valueIn(signed, 2))
  const publicKey = toBuffer(valueIn(certificate, 4))
  return (
    valueIn(certificate, 1) === SERVICE && [publicKey, signature].every(({ length }) => length > 0)
  )
}

const valueIn = (message: Buffer, field: number) =>
  readFields(message)?.find((one) => one.field === field)?.value

const toBuffer = (value: unknown): Buffer => (Buffer.isBuffer(value) ? value : Buffer.alloc(0))
