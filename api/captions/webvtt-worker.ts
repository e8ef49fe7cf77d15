import { parentPort, workerData } from 'node:worker_threads'
import { findWebVttError } from './find-webvtt-error.ts'

parentPort?.postMessage(findWebVttError(workerData as string))
