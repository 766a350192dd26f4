// prepcheck_trace_mnn_views.hpp - classes that add nothing but the recording to MNN's own, and the macros that put their
// names in place of MNN's. Part of prepcheck_trace_mnn.hpp.
#ifndef PREPCHECK_TRACE_MNN_VIEWS_HPP
#define PREPCHECK_TRACE_MNN_VIEWS_HPP


namespace MNN {

class PrepcheckTensor : public Tensor {
public:
    using Tensor::Tensor;
    static PrepcheckTensor *of(Tensor *t) { return static_cast<PrepcheckTensor *>(t); }
    template <class T>
    static PrepcheckTensor *create(const std::vector<int> &shape, void *data = NULL, DimensionType type = TENSORFLOW) {
        return of(Tensor::create<T>(shape, data, type));
    }
    static PrepcheckTensor *create(const std::vector<int> &shape, halide_type_t type, void *data = NULL,
                                   DimensionType dims = TENSORFLOW) {
        return of(Tensor::create(shape, type, data, dims));
    }
    bool copyFromHostTensor(const Tensor *from) { return prepcheck_mnn::copyFromHostTensor(this, from); }
    bool copyToHostTensor(Tensor *to) const { return prepcheck_mnn::copyToHostTensor(this, to); }
    template <class T>
    T *host() const { return prepcheck_mnn::host<T>(this); }
    template <class Map>
    void *map(Map kind, DimensionType type) { return prepcheck_mnn::map(static_cast<Tensor *>(this), kind, type); }
    template <class Map>
    void unmap(Map kind, DimensionType type, void *at) { prepcheck_mnn::unmap(static_cast<Tensor *>(this), kind, type, at); }
};
static_assert(sizeof(PrepcheckTensor) == sizeof(Tensor), "a view adds no members");

class PrepcheckInterpreter : public Interpreter {
public:
    static PrepcheckInterpreter *of(Interpreter *net) { return static_cast<PrepcheckInterpreter *>(net); }
    static PrepcheckInterpreter *createFromFile(const char *file) { return of(prepcheck_mnn::createFromFile<Interpreter>(file)); }
    static PrepcheckInterpreter *createFromBuffer(const void *buffer, size_t size) {
        return of(prepcheck_mnn::createFromBuffer<Interpreter>(buffer, size));
    }
    static void destroy(PrepcheckInterpreter *net) { Interpreter::destroy(net); }
    Session *createSession(const ScheduleConfig &config) { return prepcheck_mnn::createSession(base(), config); }
    template <class Runtime>
    Session *createSession(const ScheduleConfig &config, const Runtime &runtime) {
        return prepcheck_mnn::createSession(base(), config, runtime);
    }
    bool releaseSession(Session *session) { return prepcheck_mnn::releaseSession(base(), session); }
    PrepcheckTensor *getSessionInput(const Session *session, const char *name) {
        return PrepcheckTensor::of(prepcheck_mnn::getSessionInput(base(), session, name));
    }
    PrepcheckTensor *getSessionOutput(const Session *session, const char *name) {
        return PrepcheckTensor::of(prepcheck_mnn::getSessionOutput(base(), session, name));
    }
    std::map<std::string, PrepcheckTensor *> getSessionInputAll(const Session *session) const {
        const std::map<std::string, Tensor *> &all = prepcheck_mnn::getSessionInputAll(static_cast<const Interpreter *>(this), session);
        std::map<std::string, PrepcheckTensor *> views;
        for (std::map<std::string, Tensor *>::const_iterator it = all.begin(); it != all.end(); ++it) {
            views[it->first] = PrepcheckTensor::of(it->second);
        }
        return views;
    }
    void resizeTensor(Tensor *t, const std::vector<int> &dims) { prepcheck_mnn::resizeTensor(base(), t, dims); }
    void resizeTensor(Tensor *t, int n, int c, int h, int w) {
        const int dims[] = {n, c, h, w};
        prepcheck_mnn::resizeTensor(base(), t, std::vector<int>(dims, dims + 4));
    }
    void resizeSession(Session *session) { prepcheck_mnn::resizeSession(base(), session); }
    void resizeSession(Session *session, int reallocate) { prepcheck_mnn::resizeSession(base(), session, reallocate); }
    ErrorCode runSession(Session *session) const {
        return prepcheck_mnn::runSession(static_cast<const Interpreter *>(this), session);
    }

private:
    Interpreter *base() { return this; }
};
static_assert(sizeof(PrepcheckInterpreter) == sizeof(Interpreter), "a view adds no members");

#if defined(PREPCHECK_MNN_CV)
namespace CV {
class PrepcheckImageProcess : public ImageProcess {
public:
    static PrepcheckImageProcess *create(const Config &config, const Tensor *to = NULL) {
        return static_cast<PrepcheckImageProcess *>(prepcheck_mnn::created(ImageProcess::create(config, to), config));
    }
    static PrepcheckImageProcess *create(const ImageFormat source = RGBA, const ImageFormat dest = RGBA,
                                         const float *means = NULL, const int n_means = 0, const float *normals = NULL,
                                         const int n_normals = 0, const Tensor *to = NULL) {
        Config config;
        config.sourceFormat = source;
        config.destFormat = dest;
        for (int i = 0; means && i < n_means && i < 4; i++) config.mean[i] = means[i];
        for (int i = 0; normals && i < n_normals && i < 4; i++) config.normal[i] = normals[i];
        ImageProcess *made = ImageProcess::create(source, dest, means, n_means, normals, n_normals, to);
        return static_cast<PrepcheckImageProcess *>(prepcheck_mnn::created(made, config));
    }
    void setMatrix(const Matrix &matrix) { prepcheck_mnn::setMatrix(this, matrix); }
    void setPadding(uint8_t value) { prepcheck_mnn::setPadding(this, value); }
    using ImageProcess::convert;
    ErrorCode convert(const uint8_t *source, int width, int height, int stride, Tensor *to) {
        return prepcheck_mnn::convert(this, source, width, height, stride, to);
    }
};
static_assert(sizeof(PrepcheckImageProcess) == sizeof(ImageProcess), "a view adds no members");
} // namespace CV
#define ImageProcess PrepcheckImageProcess
#endif

} // namespace MNN

#define Tensor PrepcheckTensor
#define Interpreter PrepcheckInterpreter

#endif
