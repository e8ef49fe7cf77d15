"""Ten calls and five refused ones with the Python client of OpenAPI Generator."""

import os

from openapi_client import ApiClient, Configuration
from openapi_client import AccountApi, ChaptersApi, EventsApi, FoldersApi, VideosApi, WebhooksApi
from openapi_client import (
    CreateChapterRequest,
    CreateFolderRequest,
    CreateWebhookEndpointRequest,
    Error,
    EventTypeName,
    SubscribableEventType,
    UpdateVideoRequest,
)
from openapi_client.exceptions import ApiException

from show import BASE, NAME, VIDEO, show

client = ApiClient(Configuration(host=BASE, access_token=os.environ["API_KEY"]))
videos_api, folders_api = VideosApi(client), FoldersApi(client)


def refused(call, make):
    try:
        make()
    except ApiException as exception:
        assert isinstance(exception.data, Error), exception
        error = exception.data.error
        show(call, exception.status, error.code, error.type, error.message != "", error.request_id != "")


videos = videos_api.list_videos()
show("listVideos", len(videos.data), videos.has_more, videos.data[0].error.code, videos.data[1].error)
video = videos_api.get_video(VIDEO)
show("getVideo", video.status, video.size_bytes, video.resolutions, video.folder_id)
status = videos_api.get_video_status(VIDEO)
show("getVideoStatus", status.status, status.duration, status.progress.percent)
show("updateVideo", videos_api.update_video(VIDEO, update_video_request=UpdateVideoRequest(title=NAME)).title)
folder = folders_api.create_folder(CreateFolderRequest(name=NAME))
show("createFolder", folder.name, folder.parent_id)
folders = folders_api.list_folders()
show("listFolders", folders.data[0].name, folders.data[0].video_count)
receiver = CreateWebhookEndpointRequest(
    url=os.environ["RECEIVER_URL"], events=[SubscribableEventType.VIDEO_DOT_READY]
)
endpoint = WebhooksApi(client).create_webhook_endpoint(receiver)
show("createWebhookEndpoint", endpoint.is_active, endpoint.disabled_reason, endpoint.secret != "")
event = EventsApi(client).list_events(type=EventTypeName.VIDEO_DOT_READY).data[0].actual_instance
show("listEvents", event.type, event.data.id)
usage = AccountApi(client).get_usage()
show("getUsage", usage.encoding.minutes, usage.storage.limit_bytes)

stranger = VideosApi(ApiClient(Configuration(host=BASE, access_token="rg_live_unknown")))
refused("invalid_api_key", lambda: stranger.list_videos())
refused("video_not_found", lambda: videos_api.get_video("0" * 20))
refused("folder_exists", lambda: folders_api.create_folder(CreateFolderRequest(name=NAME)))
nowhere = UpdateVideoRequest(folder_id=999999999)
refused("folder_not_found", lambda: videos_api.update_video(VIDEO, update_video_request=nowhere))
backwards = CreateChapterRequest(title=NAME, start=3, end=2)
refused("invalid_chapter_range", lambda: ChaptersApi(client).create_chapter(VIDEO, backwards))

deleted = folders_api.delete_folder(folder.id)
show("deleteFolder", deleted.id == folder.id, deleted.deleted)
