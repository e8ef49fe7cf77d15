"""The calls of expected-calls.ts with the Python client of OpenAPI Generator."""

import os
from datetime import datetime, timezone

from openapi_client import ApiClient, Configuration
from openapi_client import AccountApi, ChaptersApi, EventsApi, FoldersApi, ImportsApi, PostersApi
from openapi_client import SearchApi, VideosApi, WebhooksApi
from openapi_client import (
    CreateChapterRequest,
    CreateFolderRequest,
    CreateImportRequest,
    CreateWebhookEndpointRequest,
    Error,
    EventTypeName,
    NewImportLine,
    SubscribableEventType,
    UpdateVideoRequest,
    VideoSort,
)
from openapi_client.exceptions import ApiException

from show import BASE, NAME, PICTURE, SILENT, VIDEO, ended, matches_of, show

client = ApiClient(Configuration(host=BASE, access_token=os.environ["API_KEY"]))
# By default it writes offsets without the colon of RFC 3339, which the API refuses.
client.configuration.datetime_format = "%Y-%m-%dT%H:%M:%SZ"
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
show("getVideo", video.status, video.size_bytes > 0, video.resolutions, video.folder_id)
status = videos_api.get_video_status(VIDEO)
show("getVideoStatus", status.status, status.duration, status.progress.percent)
show("updateVideo", videos_api.update_video(VIDEO, update_video_request=UpdateVideoRequest(title=NAME)).title)


def update(id, change):
    return videos_api.update_video(id, update_video_request=change)


own = UpdateVideoRequest(
    external_id=NAME, tags=["Algebra", "Year 7"], metadata={"course": "7", "teacher": "Ada"}
)
video = update(VIDEO, own)
show("setOwnData", video.external_id, video.tags, video.metadata)
show("removeOwnData", update(VIDEO, UpdateVideoRequest(metadata={"teacher": ""})).metadata)
found = videos_api.list_videos(
    external_id=NAME,
    tag=["algebra", "year 7"],
    title="made",
    duration_gte=1,
    created_gte=datetime(2020, 1, 1, tzinfo=timezone.utc),
    sort=VideoSort.TITLE,
)
show("findVideos", len(found.data), found.data[0].id, found.next_cursor is not None)
page = videos_api.list_videos(sort=VideoSort.TITLE, limit=1)
next_page = videos_api.list_videos(sort=VideoSort.TITLE, limit=1, starting_after=page.next_cursor)
differ = page.data[0].id != next_page.data[0].id
show("nextPage", len(page.data), page.has_more, len(next_page.data), next_page.has_more, differ)
moments = SearchApi(client).search("energy").data
moment = moments[0]
matches = matches_of(moment.snippet)
show("search", len(moments), moment.video.id, moment.caption.language_code, moment.start_seconds, matches)

imports_api = ImportsApi(client)
known = NewImportLine(external_id=NAME, source_url=SILENT)
created = imports_api.create_import(CreateImportRequest(lines=[known], at_once=1))
show("createImport", created.state, created.line_count, created.bucket)
done = ended(lambda: imports_api.get_import(created.id))
show("getImport", done.state, done.lines.exists, done.lines.failed)
line = imports_api.list_import_lines(created.id).data[0]
show("listImportLines", line.number, line.state, line.external_id, line.video_id, line.error)
silent = CreateImportRequest(lines=[NewImportLine(source_url=SILENT)], at_once=1)
cancelled = imports_api.cancel_import(imports_api.create_import(silent).id)
show("cancelImport", cancelled.state, cancelled.lines.cancelled)

posters_api = PostersApi(client)
poster = posters_api.upload_poster(VIDEO, PICTURE)
show("uploadPoster", poster.status, poster.format, poster.size_bytes)
poster = posters_api.get_poster_upload(VIDEO)
show("getPosterUpload", poster.id, poster.reason)

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
failed = videos.data[0].id
refused("external_id_taken", lambda: update(failed, UpdateVideoRequest(external_id=NAME)))

deleted = folders_api.delete_folder(folder.id)
show("deleteFolder", deleted.id == folder.id, deleted.deleted)
