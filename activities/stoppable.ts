import { CancelledFailure } from '@temporalio/common'
import { Context } from '@temporalio/activity'

/**
 * Has an activity that was told to stop end as cancelled, whatever it failed with then: a killed
 * encoder and a closed connection have errors of their own, which would count as the video's.
 */
export const stoppable =
  <Input, Result>(activity: (input: Input) => Promise<Result>) =>
  async (input: Input): Promise<Result> => {
    try {
      return await activity(input)
    } catch (error) {
      const { aborted } = Context.current().cancellationSignal
      throw aborted ? new CancelledFailure('told to stop') : error
    }
  }
